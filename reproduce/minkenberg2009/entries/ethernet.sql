-- Watched ports over bins of 1 ms (`watched`: MB/s and kB) and which of them matter in each topology (`roles`): hosts that
-- send hot flows, the bottleneck and the queue before the common destination, and the ports among which a switch
-- upstream chooses. Rates are means from 300 ms on, when the first reaction is over, queues under QCN alone from 500 ms.
CREATE TABLE watched AS
SELECT p.*, CASE WHEN s.port LIKE 'H%' THEN substr(s.port, 1, instr(s.port || ':', ':') - 1) ELSE s.port END AS port,
       s.bin AS ms, s.rate_bps / 8e6 AS rate, s.queue_mean_bytes / 1e3 AS queue
FROM points p JOIN port_series s USING (run_id) ORDER BY p.n, s.port, s.bin;
CREATE TABLE roles (topology, role, port, place);
INSERT INTO roles VALUES
  ('T1', 'host', 'H1', 1), ('T1', 'host', 'H2', 2), ('T1', 'host', 'H3', 3), ('T1', 'queue', 'S7:4', 1),
  ('T1', 'queue', 'S9:5', 2), ('T1', 'way', 'S2:2', 1), ('T1', 'way', 'S2:3', 2),
  ('T2', 'host', 'H1', 1), ('T2', 'host', 'H2', 2), ('T2', 'host', 'H3', 3), ('T2', 'queue', 'S5:4', 1),
  ('T2', 'queue', 'S12:4', 2), ('T2', 'way', 'S1:2', 1), ('T2', 'way', 'S1:3', 2),
  ('T3', 'host', 'H1', 1), ('T3', 'host', 'H2', 2), ('T3', 'queue', 'S4:2', 1), ('T3', 'queue', 'S5:3', 2),
  ('T3', 'way', 'S1:2', 1), ('T3', 'way', 'S1:1', 2), ('T3', 'way', 'S1:3', 3);
