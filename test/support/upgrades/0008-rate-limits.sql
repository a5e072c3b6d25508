insert into rate_limits (key, points, expire) values ('read:token', 3, 1800000000000);
