-- The first job of an account gives the account its number. So captures need no statement for that.
CREATE TRIGGER capture_jobs_number_accounts AFTER INSERT ON capture_jobs
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE account = NEW.account)
BEGIN
  INSERT INTO accounts (account) VALUES (NEW.account);
END;

-- A map of the store. A zone is 10,000 sequences; the map has the first and the last times of an account's events in each zone, and the
-- words that occur there. Without it, a search for a word that never occurs, or for an open-ended span of time, would read the whole
-- account. Everything in it can be computed from the events.
CREATE TABLE zones (
  captured_by TEXT NOT NULL,
  zone INTEGER NOT NULL,
  first_event_time TEXT NOT NULL,
  last_event_time TEXT NOT NULL,
  first_record_time TEXT NOT NULL,
  last_record_time TEXT NOT NULL,
  PRIMARY KEY (captured_by, zone)
) WITHOUT ROWID;

-- The words in the events of a zone. `field` is 1 for the event type, 2 for the action, 3 for the business step, 4 for the disposition.
-- A row with the field 5 and the value 1 means that an event declares an error.
CREATE TABLE zone_words (
  captured_by TEXT NOT NULL,
  field INTEGER NOT NULL,
  value TEXT NOT NULL,
  zone INTEGER NOT NULL,
  PRIMARY KEY (captured_by, field, value, zone)
) WITHOUT ROWID;
CREATE INDEX zone_words_by_value ON zone_words (field, value, zone);

INSERT INTO zones (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
  SELECT captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events GROUP BY 1, 2;
INSERT INTO zone_words (captured_by, field, value, zone)
  SELECT DISTINCT captured_by, 1, event_type, sequence / 10000 FROM events WHERE event_type IS NOT NULL
  UNION ALL SELECT DISTINCT captured_by, 2, action, sequence / 10000 FROM events WHERE action IS NOT NULL
  UNION ALL SELECT DISTINCT captured_by, 3, biz_step, sequence / 10000 FROM events WHERE biz_step IS NOT NULL
  UNION ALL SELECT DISTINCT captured_by, 4, disposition, sequence / 10000 FROM events WHERE disposition IS NOT NULL
  UNION ALL SELECT DISTINCT captured_by, 5, '1', sequence / 10000 FROM events WHERE declares_error = 1;

-- At its end each capture inserts into `expectations`. That also adds its events to the map.
CREATE TRIGGER captures_draw_zones INSTEAD OF INSERT ON expectations
BEGIN
  INSERT INTO zones (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
    SELECT captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events
    WHERE sequence > (SELECT before FROM capture_jobs ORDER BY sequence DESC LIMIT 1) GROUP BY 1, 2
    ON CONFLICT (captured_by, zone) DO UPDATE SET
      first_event_time = min(first_event_time, excluded.first_event_time), last_event_time = max(last_event_time, excluded.last_event_time),
      first_record_time = min(first_record_time, excluded.first_record_time), last_record_time = max(last_record_time, excluded.last_record_time);
  INSERT OR IGNORE INTO zone_words (captured_by, field, value, zone)
    SELECT DISTINCT a.captured_by, w.field, CASE w.field WHEN 1 THEN a.event_type WHEN 2 THEN a.action WHEN 3 THEN a.biz_step
      WHEN 4 THEN a.disposition ELSE CASE a.declares_error WHEN 1 THEN '1' END END AS value, a.zone
    FROM (
      SELECT DISTINCT captured_by, event_type, action, biz_step, disposition, declares_error, sequence / 10000 AS zone FROM events
      WHERE sequence > (SELECT before FROM capture_jobs ORDER BY sequence DESC LIMIT 1)
    ) AS a CROSS JOIN (SELECT 1 AS field UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5) AS w
    WHERE value IS NOT NULL;
END;
