//! Every translation vector: the output as data, the report, the refusals, and the way back.
