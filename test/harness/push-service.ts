import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { jwtVerify } from 'jose'
import { type DoubleAnswer, type HttpDouble, type SeenRequest, startHttpDouble } from './http-double.ts'

const FIREBASE_PROJECT = 'firebase-project'
const CLIENT_EMAIL = 'pusher@firebase-project.iam.gserviceaccount.com'

/** A message that came in. */
export interface PushedMessage {
  readonly token: string
  readonly notification?: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
  readonly android?: object
  readonly apns?: object
  readonly webpush?: object
}

/** The key of the service account. One for all services of a process: making it takes longer than most tests. */
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A push service of the tests: it exchanges the account's assertions for tokens, and takes messages with these. */
export interface PushService {
  readonly url: string
  /** The service account that it knows, as a file. */
  readonly account: string
  /** Messages that it took. */
  readonly taken: readonly PushedMessage[]
  /** Tokens that it issued. */
  readonly tokens: readonly string[]
  stop(): Promise<void>
}

/** How it answers a message, in the place of taking it. */
export type RefuseMessage = (message: PushedMessage) => DoubleAnswer | Promise<DoubleAnswer>

/** An error in Google's form. */
export function googleError(
  status: number,
  errorCode: string,
  headers: Readonly<Record<string, string>> = {},
): DoubleAnswer {
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]
  return { status, headers, body: { error: { code: status, message: 'no', status: errorCode, details } } }
}

/** Starts a push service on a free port. */
export async function startPushService(refuse: RefuseMessage = () => undefined): Promise<PushService> {
  const taken: PushedMessage[] = []
  const tokens: string[] = []
  const exchange = async ({ body }: SeenRequest): Promise<DoubleAnswer> => {
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return { status: 400 }
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
        issuer: CLIENT_EMAIL,
        audience: `${double.url}/token`,
        algorithms: ['RS256'],
        requiredClaims: ['iat', 'exp'],
      })
      if (payload.scope !== 'https://www.googleapis.com/auth/firebase.messaging') return { status: 400 }
    } catch {
      return { status: 400, body: { error: 'invalid_grant' } }
    }
    const token = randomUUID()
    tokens.push(token)
    return { status: 200, body: { access_token: token, expires_in: 3600, token_type: 'Bearer' } }
  }
  const take = async ({ headers, body }: SeenRequest): Promise<DoubleAnswer> => {
    if (!tokens.includes(headers.authorization?.replace('Bearer ', '') ?? ''))
      return googleError(401, 'THIRD_PARTY_AUTH_ERROR')
    const { message }: { message: PushedMessage } = JSON.parse(body)
    const refusal = await refuse(message)
    if (refusal) return refusal
    taken.push(message)
    return { status: 200, body: { name: `projects/${FIREBASE_PROJECT}/messages/${taken.length}` } }
  }
  const double: HttpDouble = await startHttpDouble(async (request) => {
    if (request.path === '/token') return await exchange(request)
    if (request.path === `/v1/projects/${FIREBASE_PROJECT}/messages:send`) return await take(request)
    return { status: 404 }
  })
  const account = JSON.stringify({
    type: 'service_account',
    project_id: FIREBASE_PROJECT,
    client_email: CLIENT_EMAIL,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${double.url}/token`,
  })
  return { url: double.url, account, taken, tokens, stop: double.stop }
}
