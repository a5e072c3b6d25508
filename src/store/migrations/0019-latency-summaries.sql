-- compatible_from: 1

-- What is told of a day, written with the merge that ends it: p50, p95, p99, and the means of dns, connect, tls, ttfb and
-- transfer, in whole milliseconds. Null while the day runs, and of days that an earlier release ended: whoever reads
-- them makes it of the histogram and the sums.
alter table latency_days add column summary_ms integer[];
