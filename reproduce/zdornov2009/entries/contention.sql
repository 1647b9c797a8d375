-- Contention of flows by case, over permutations: means and half widths of 95 % confidence.
CREATE TABLE cases AS
SELECT k, n, width, policy, hops, avg(worst) AS worst, half_width(worst) AS worst_half, interval(worst) AS worst_text,
       avg(mean) AS mean, half_width(mean) AS mean_half, interval(mean) AS mean_text, count(*) AS runs
FROM contention GROUP BY k, n, width, policy, hops;
-- Relative changes from static routing in the plain tree, with the half widths that their intervals leave.
CREATE TABLE changes AS
SELECT *, format('%+.1f ± %.1f %%', 100 * worst_change, 100 * worst_half_width) AS worst_text,
       format('%+.1f ± %.1f %%', 100 * mean_change, 100 * mean_half_width) AS mean_text
FROM (SELECT a.k, a.n, a.width, a.policy, a.hops, a.worst / f.worst - 1 AS worst_change, a.mean / f.mean - 1 AS mean_change,
             sqrt(pow(a.worst_half / f.worst, 2) + pow(a.worst * f.worst_half / (f.worst * f.worst), 2)) AS worst_half_width,
             sqrt(pow(a.mean_half / f.mean, 2) + pow(a.mean * f.mean_half / (f.mean * f.mean), 2)) AS mean_half_width
      FROM cases a JOIN cases f ON f.k = a.k AND f.n = a.n AND f.policy = 'fixed' WHERE a.policy <> 'fixed');
