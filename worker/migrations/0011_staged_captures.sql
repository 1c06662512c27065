-- Checks a large capture: inserting its number of pieces aborts the transaction if pieces are missing.

CREATE VIEW staged_captures (capture, parts) AS SELECT capture, count(*) FROM staged GROUP BY capture;
CREATE TRIGGER staged_captures_are_whole INSTEAD OF INSERT ON staged_captures
WHEN NEW.parts <> (SELECT count(*) FROM staged WHERE capture = NEW.capture)
BEGIN
  SELECT RAISE(ABORT, 'pieces of the capture are missing');
END;
