-- What the adapters cost (sections 6.4 and 8.6), for packets of 256 B and a window of 2; the tables count payload. FVOQ: a
-- queue per destination with room for a full window. PVOQ: so many queues with room for one packet each. SB: one buffer
-- for all. The last two keep a counter per destination, as wide as the window needs.
CREATE TABLE sizes (network, hosts, queues, shared_kib);
INSERT INTO sizes VALUES
  ('BMIN 4-ary 5-fly', 512, 128, 25), ('BMIN 4-ary 3-fly', 64, 16, 3), ('BMIN 8-ary 3-fly', 512, 128, 25),
  ('UMIN 4-ary 4-fly', 256, 64, 12), ('UMIN 8-ary 3-fly', 512, 128, 25);
CREATE TABLE memory AS
SELECT network, hosts * 2 * 256 / 1024.0 AS fvoq, queues * 256 / 1024.0 AS pvoq, shared_kib AS sb, (hosts * 2 + 7) / 8 AS counters
FROM sizes;
-- Silicon in 45 nm: the straight line of least squares through the areas of table 8.6 over the sizes of table 8.5.
CREATE TABLE printed (kind, kib, mm2);
INSERT INTO printed VALUES ('fvoq', 256, 57.39), ('fvoq', 128, 28.72), ('fvoq', 32, 7.21), ('pvoq', 32, 6.71),
  ('pvoq', 16, 3.38), ('pvoq', 4, 0.88), ('sb', 25, 5.24), ('sb', 12, 2.51), ('sb', 3, 0.63);
CREATE TABLE lines AS
SELECT kind, slope, (y - slope * x) / n AS base
FROM (SELECT *, (n * xy - x * y) / (n * xx - x * x) AS slope
      FROM (SELECT kind, count(*) AS n, sum(kib) AS x, sum(mm2) AS y, sum(kib * kib) AS xx, sum(kib * mm2) AS xy
            FROM printed GROUP BY kind));
CREATE TABLE area AS
SELECT network, f.base + f.slope * fvoq AS fvoq, p.base + p.slope * pvoq AS pvoq, s.base + s.slope * sb AS sb
FROM memory, lines f, lines p, lines s WHERE f.kind = 'fvoq' AND p.kind = 'pvoq' AND s.kind = 'sb';
