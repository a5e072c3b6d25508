insert into gathered_months (month, next_key) values ('2026-01-01', null);
