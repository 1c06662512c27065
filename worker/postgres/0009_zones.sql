-- A map of the store: see worker/migrations/0010_captures.sql. Here a trigger of `events` updates it, whatever statement appends the
-- events.

CREATE TABLE zones (
  captured_by text COLLATE "C" NOT NULL,
  zone bigint NOT NULL,
  first_event_time text COLLATE "C" NOT NULL,
  last_event_time text COLLATE "C" NOT NULL,
  first_record_time text COLLATE "C" NOT NULL,
  last_record_time text COLLATE "C" NOT NULL,
  PRIMARY KEY (captured_by, zone)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

CREATE TABLE zone_words (
  captured_by text COLLATE "C" NOT NULL,
  field smallint NOT NULL,
  value text COLLATE "C" NOT NULL,
  zone bigint NOT NULL,
  PRIMARY KEY (captured_by, field, value, zone)
);
CREATE INDEX zone_words_by_value ON zone_words (field, value, zone);

CREATE FUNCTION draw_zones() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zones AS z (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
    SELECT a.captured_by, a.sequence / 10000, min(a.event_time), max(a.event_time), min(a.record_time), max(a.record_time)
    FROM added AS a GROUP BY 1, 2
    ON CONFLICT (captured_by, zone) DO UPDATE SET
      first_event_time = least(z.first_event_time, excluded.first_event_time),
      last_event_time = greatest(z.last_event_time, excluded.last_event_time),
      first_record_time = least(z.first_record_time, excluded.first_record_time),
      last_record_time = greatest(z.last_record_time, excluded.last_record_time);
  INSERT INTO zone_words (captured_by, field, value, zone)
    SELECT DISTINCT a.captured_by, w.field, w.value, a.sequence / 10000 FROM added AS a
    CROSS JOIN LATERAL (
      VALUES (1, a.event_type), (2, a.action), (3, a.biz_step), (4, a.disposition), (5, CASE a.declares_error WHEN 1 THEN '1' END)
    ) AS w (field, value) WHERE w.value IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER events_draw_zones AFTER INSERT ON events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION draw_zones();

INSERT INTO zones (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
  SELECT captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events GROUP BY 1, 2;
INSERT INTO zone_words (captured_by, field, value, zone)
  SELECT DISTINCT e.captured_by, w.field, w.value, e.sequence / 10000 FROM events AS e
  CROSS JOIN LATERAL (
    VALUES (1, e.event_type), (2, e.action), (3, e.biz_step), (4, e.disposition), (5, CASE e.declares_error WHEN 1 THEN '1' END)
  ) AS w (field, value) WHERE w.value IS NOT NULL;
ANALYZE zones, zone_words;
