-- Mean rates and their gains over no control, by point of the axis and scheme; `gains` over the time that counts for
-- verdicts, `horizons` over all three. In the second reading that is the first 400 packet times, not those from 400 to 1000.
CREATE TABLE horizons AS
SELECT point, scheme, horizon, avg(rate) AS rate, interval(rate) AS rate_text, avg(ratio) - 1 AS gain,
       count(*) AS runs, format('%+.1f ± %.1f %%', 100 * (avg(ratio) - 1), 100 * half_width(ratio)) AS text
FROM rates WHERE place IS NULL GROUP BY point, scheme, horizon;
CREATE TABLE gains AS SELECT * FROM horizons WHERE horizon = (SELECT iif(second, 'the first 400 packet times', '400 to 1000 packet times') FROM reading);
CREATE TABLE sorted AS  -- at places of the sorted rates, 0 slowest, 1 fastest
SELECT point, scheme, place, avg(rate) AS rate, half_width(rate) AS half, interval(rate) AS rate_text, avg(ratio) AS ratio, interval(ratio) AS ratio_text
FROM rates WHERE place IS NOT NULL GROUP BY point, scheme, place;
