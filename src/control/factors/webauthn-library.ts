import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'

export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'

/** The format of an attestation object (base64url), and whether it has a certificate. */
export function decodeAttestation(attestationObject: string): {
  readonly format: string
  readonly hasCertificate: boolean
} {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  return { format: decoded.get('fmt'), hasCertificate: decoded.get('attStmt').get('x5c') !== undefined }
}
