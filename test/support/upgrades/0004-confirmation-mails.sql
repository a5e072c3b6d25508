insert into confirmation_mails (subject, sent_at, last_at) values ('hash', array[now()], now());
