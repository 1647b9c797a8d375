-- What is read off a run after its warm-up (0.1 s): a row of `queue` for each, in kB. The deviation is that of means over
-- 10 us; `marked` is the share of packets that came marked.
CREATE TABLE queue AS
SELECT p.*, p.hosts - 1 AS flows, q.mean, sqrt(max(0, q.squares - q.mean * q.mean)) AS deviation, q.busy, f.jain,
       c.marked
FROM points p
JOIN (SELECT run_id, avg(queue_mean_bytes / 1e3) AS mean, avg(queue_mean_bytes / 1e3 * queue_mean_bytes / 1e3) AS squares,
             avg(rate_bps) / 40e9 AS busy
      FROM port_series WHERE start_s >= 0.1 GROUP BY run_id) q USING (run_id)
JOIN (SELECT run_id, sum(1.0 * window_delivered_bytes) * sum(1.0 * window_delivered_bytes) /
             (count(*) * sum(1.0 * window_delivered_bytes * window_delivered_bytes)) AS jain
      FROM flows GROUP BY run_id) f USING (run_id)
JOIN (SELECT run_id, 1.0 * sum(marked) / sum(received) AS marked FROM class_series WHERE start_s >= 0.1
      GROUP BY run_id) c USING (run_id)
ORDER BY p.n;
