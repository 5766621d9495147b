// A file of its own: the console imports hand-written code of the contract only through this layer.

/** The interfaces that take events, and the reasons of warnings, for which the console has names. */
export {
  isWarningReason,
  WARNING_DIALECTS,
  WARNING_REASONS,
  type WarningReason,
} from '../contract/ingestion-warnings.ts'
