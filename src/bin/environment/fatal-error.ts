import { joinHostPort } from '../../settings/derived-settings.ts'
import { SecretFileError } from '../../store/secret-files.ts'

/** An error that the operator must fix: printed as one line without a stack trace, with exit code 1. */
export class FatalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FatalError'
  }
}

/** ClickHouse does not respond, so a retry may succeed without any change. */
export class StoreUnreachable extends FatalError {
  override readonly name = 'StoreUnreachable'
}

/** An address to listen on, and the common prefix of the two settings that hold it. */
interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly setting: 'SERVICE_ADMIN' | 'SERVICE_SERVER'
}

/** The error of an address that cannot be listened on. */
export function cannotListen({ host, port, setting }: ListenAddress, cause?: unknown): FatalError {
  return new FatalError(
    `cannot listen on ${joinHostPort(host, port)}: the address is in use or not an address of this machine; set ${setting}_PORT or ${setting}_HOST`,
    { cause },
  )
}

/** An error of the operating system, such as a full or read-only disk, or of a damaged file as one line; any other error as it is. */
export function asFatal(error: unknown, what: string): unknown {
  const isOfFiles = error instanceof SecretFileError || (error instanceof Error && 'syscall' in error)
  return isOfFiles ? new FatalError(`${what}: ${error.message}`, { cause: error }) : error
}
