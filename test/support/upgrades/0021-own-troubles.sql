insert into own_troubles (name, since, details) values ('disk', now(), 'The disk is full.');
insert into operator_troubles (topic) values ('disk');
