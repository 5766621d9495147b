/**
 * Error codes of ClickHouse that reject the data of an INSERT: the same bytes fail every time. All other errors (no connection,
 * timeout, too many parts, memory, disk, users, a missing table or column, a read-only server) can be resolved without
 * changing the data and are retried forever.
 */
const REJECTIONS: Readonly<Record<number, string>> = {
  6: 'CANNOT_PARSE_TEXT: a value is no text of its type',
  9: 'SIZES_OF_COLUMNS_DOESNT_MATCH: the columns of a block have different row counts',
  26: 'CANNOT_PARSE_QUOTED_STRING',
  27: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED: something else stands where a delimiter belongs',
  32: 'ATTEMPT_TO_READ_AFTER_EOF: a length points beyond the end of the body',
  33: 'CANNOT_READ_ALL_DATA: a length points beyond the end of the body',
  38: 'CANNOT_PARSE_DATE',
  41: 'CANNOT_PARSE_DATETIME',
  50: 'UNKNOWN_TYPE: a column names a type that does not exist',
  53: 'TYPE_MISMATCH: a column cannot become the type of the table',
  62: 'SYNTAX_ERROR: the name of a type is no type',
  69: 'ARGUMENT_OUT_OF_BOUND: a size that no block has',
  70: 'CANNOT_CONVERT_TYPE: a value has no form in the type of the table',
  72: 'CANNOT_PARSE_NUMBER',
  117: 'INCORRECT_DATA: the bytes are no block',
  128: 'TOO_LARGE_ARRAY_SIZE: the count of a map or array is broken',
  131: 'TOO_LARGE_STRING_SIZE: the length of a text is broken',
  190: 'SIZES_OF_ARRAYS_DONT_MATCH: the keys and values of a map differ in number',
  321: 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  349: 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  376: 'CANNOT_PARSE_UUID',
  467: 'CANNOT_PARSE_BOOL',
  469: 'VIOLATED_CONSTRAINT: a row breaks a rule of the table',
}

/** Whether an error of ClickHouse rejects the data itself. */
export function isRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // A node of a cluster reports this when another one dies during its response: not about the data.
  if (/while (?:receiving|reading) packet/i.test(error.message)) return false
  return typeof error.code === 'string' && /^\d+$/.test(error.code) && Number(error.code) in REJECTIONS
}
