import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type HttpDouble, startHttpDouble } from './http-double.ts'

/** The client that the tests are. */
export const GOOGLE_CLIENT_ID = 'console.apps.example'

/** Signs ID tokens as Google does, and publishes the key. */
export interface GoogleDouble {
  /** Where the key is. */
  readonly keysUrl: string
  /** An ID token of Carol, whose claims may be others. */
  sign(claims: JWTPayload): Promise<string>
  stop(): Promise<void>
}

/** Starts the server of the key. */
export async function startGoogleDouble(): Promise<GoogleDouble> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'k-1', alg: 'RS256' }
  const double: HttpDouble = await startHttpDouble(() => ({ status: 200, body: { keys: [key] } }))
  const carol = {
    iss: 'https://accounts.google.com',
    aud: GOOGLE_CLIENT_ID,
    sub: '1234567890',
    email: 'carol@example.org',
    email_verified: true,
    name: 'Carol',
  }
  return {
    keysUrl: `${double.url}/certs`,
    sign: async (claims) =>
      await new SignJWT({ ...carol, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k-1' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: double.stop,
  }
}
