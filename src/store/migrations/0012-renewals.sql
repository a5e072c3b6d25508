-- compatible_from: 1

-- Whose period ends or has ended, whether they run or not, the earliest first.
drop index monitors_to_renew;
create index monitors_to_renew on monitors (paid_until) where billing = 'paid' and billing_period = 'monthly';

-- What is forgotten some time after it ended.
create index payment_attempts_ended on payment_attempts (ended_at) where ended_at is not null;
