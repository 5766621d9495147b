// Loaded with the first passkey: browsers differ in how they take and return them.
export { startAuthentication, startRegistration } from '@simplewebauthn/browser'
