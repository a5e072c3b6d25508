insert into imported_calls (path_hash, monitor_id) values (sha256('path'), @backup@);
