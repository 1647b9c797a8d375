-- Rates of flows between two moments. Each flow has a class of its own. Whoever asks fills `spans` (run_id, what, class,
-- from_s, to_s); `span_rates` then has the mean payload rate in Gb/s, from the bins of the series.
CREATE TABLE bins AS
SELECT p.*, s.class, s.start_s AS from_s, min(s.start_s + r.bin_s, r.end_s) AS to_s, s.received_bytes AS bytes
FROM points p JOIN runs r USING (run_id) JOIN class_series s USING (run_id);
CREATE INDEX bins_of_run ON bins (run_id, class);
CREATE TABLE spans (run_id, what, class, from_s, to_s);
CREATE VIEW span_rates AS
SELECT s.run_id, s.what, s.class, s.from_s,
       (SELECT sum(b.bytes * (min(b.to_s, s.to_s) - max(b.from_s, s.from_s)) / (b.to_s - b.from_s)) FROM bins b
        WHERE b.run_id = s.run_id AND b.class = s.class AND min(b.to_s, s.to_s) > max(b.from_s, s.from_s)) *
         8e-9 / (s.to_s - s.from_s) AS rate
FROM spans s;
CREATE TABLE ends AS SELECT p.*, f.class, f.completion_s AS at FROM points p JOIN flows f USING (run_id);
CREATE VIEW to_d AS SELECT 'A-D' AS class UNION ALL SELECT 'B-D' UNION ALL SELECT 'C-D';
