-- What is read off a run with a pulse: a row of `pulse` for each run, in cycles (1 cycle = 1 ns) and per cent. `curves`
-- has the series of cold, hot and all packets, `link` that of the link to the hot spot, `marking` what the scheme
-- counted per bin.
CREATE TABLE hot_span AS  -- bins from the first to the last hot delivery, and those in which hot hosts inject
SELECT run_id, min(bin) FILTER (WHERE received > 0) AS first, max(bin) FILTER (WHERE received > 0) AS last,
       max(bin) FILTER (WHERE injected > 0) AS last_sent
FROM class_series WHERE class = 'hot' GROUP BY run_id;

CREATE TABLE link AS
SELECT p.*, s.bin, s.start_s * 1e9 AS cycle, 100 * min(1.0, s.rate_bps / 8e9) AS busy
FROM points p JOIN port_series s USING (run_id) ORDER BY n, s.bin;

CREATE TABLE hot_link AS  -- the first and the last bin of the pulse are partly idle and left out
SELECT run_id, avg(busy) FILTER (WHERE bin > first AND bin < last) AS busy,
       min(busy) FILTER (WHERE bin > first AND bin < last) AS lowest,
       avg(busy) FILTER (WHERE bin > first AND bin <= last_sent) AS while_sending
FROM link JOIN hot_span USING (run_id) GROUP BY run_id;

CREATE TABLE marked_in_pulse AS  -- of the packets received between the first and the last hot delivery
SELECT run_id, class, 100.0 * sum(marked) / sum(received) AS share
FROM class_series JOIN hot_span USING (run_id) WHERE bin BETWEEN first AND last GROUP BY run_id, class;

CREATE TABLE pulse AS
SELECT p.*,
       cold.latency_peak_bin_ns AS cold_peak, hot.latency_peak_bin_ns AS hot_peak,
       coalesce(cold.latency_mean_ns, 0) AS cold_mean,
       (SELECT sum(s.latency_mean_ns * s.received) / sum(s.received) FROM class_series s
        WHERE s.run_id = p.run_id AND s.received > 0) AS all_mean,
       r.received_bytes / (r.end_s * 1e9) AS accepted,     -- bytes per cycle
       cold.event_latency_before_ns AS before,             -- cold latency before the pulse
       cold.event_throughput_dip AS dip,                   -- lowest cold throughput during it, share of before
       coalesce(cold.event_recovery_s * 1e9, -1) AS recovery,  -- after the pulse began; -1: not within the run
       (r.event_to_s - r.event_from_s) * 1e9 AS hot_end,   -- last hot delivery after the pulse began
       r.event_from_s * 1e9 AS pulse_from, r.event_to_s * 1e9 AS pulse_to,
       100.0 * cold.marked / cold.received AS cold_marked, 100.0 * hot.marked / hot.received AS hot_marked,
       100.0 * coalesce((SELECT packets FROM marks m WHERE m.run_id = p.run_id AND m.class = 'cold' AND bits = 3), 0) /
         cold.received AS cold_both,                       -- both bits of strategies that have two
       100.0 * coalesce((SELECT packets FROM marks m WHERE m.run_id = p.run_id AND m.class = 'hot' AND bits = 3), 0) /
         hot.received AS hot_both,
       (SELECT share FROM marked_in_pulse m WHERE m.run_id = p.run_id AND m.class = 'cold') AS cold_marked_in_pulse,
       (SELECT share FROM marked_in_pulse m WHERE m.run_id = p.run_id AND m.class = 'hot') AS hot_marked_in_pulse,
       coalesce(l.busy, 0) AS hot_link, coalesce(l.lowest, 0) AS hot_link_lowest,
       l.while_sending AS hot_link_while_sending
FROM points p JOIN runs r USING (run_id)
     JOIN classes cold ON cold.run_id = p.run_id AND cold.class = 'cold'
     JOIN classes hot ON hot.run_id = p.run_id AND hot.class = 'hot'
     LEFT JOIN hot_link l ON l.run_id = p.run_id
ORDER BY n;

CREATE TABLE curves AS
SELECT p.*, s.class, s.bin, s.start_s * 1e9 AS cycle, s.latency_mean_ns AS latency, s.throughput_bps / 8e9 AS flow
FROM points p JOIN class_series s USING (run_id)
UNION ALL
SELECT p.*, 'all', s.bin, s.start_s * 1e9, sum(s.latency_mean_ns * s.received) / nullif(sum(s.received), 0),
       sum(s.throughput_bps) / 8e9
FROM points p JOIN class_series s USING (run_id) GROUP BY p.run_id, s.bin
ORDER BY n, class, bin;

CREATE TABLE marking AS
SELECT p.*, s.name, s.bin, s.start_s * 1e9 AS cycle, s.value,
       s.start_s >= r.event_from_s AND s.start_s < r.event_to_s AS in_pulse,
       s.start_s + r.bin_s > r.event_from_s AS since_pulse
FROM points p JOIN scheme_series s USING (run_id) JOIN runs r USING (run_id) ORDER BY n, s.name, s.bin;
