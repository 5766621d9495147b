/** Passkeys, at the sign-in and in the settings of the account. */
export const passkey = {
  'passkey.use': 'Use a passkey',
  'passkey.dismissed': 'No passkey was used. Try again, or use another way.',
  'passkey.unsupported': 'This browser does not support passkeys.',
  'passkey.known': 'This device or password manager already has a passkey of the account.',
  'passkey.title': 'Passkeys',
  'passkey.text':
    'A phone, a computer, a password manager or a security key keeps the passkey. It works only at the address of this service.',
  'passkey.add': 'Add a passkey',
  'passkey.name': 'Name of the passkey',
  'passkey.example': 'Work laptop',
  'passkey.confirm': 'Continue',
  'passkey.added': 'The passkey is added',
  'passkey.since': 'Added {time}',
  'passkey.used': 'Added {time}, last used {used}',
  'passkey.elsewhere': 'For {host} only',
  'passkey.rename': 'Rename',
  'passkey.renameOf': 'Rename the passkey {name}',
  'passkey.remove': 'Remove',
  'passkey.removeOf': 'Remove the passkey {name}',
  'passkey.removeAsk': 'Remove the passkey {name}?',
  'passkey.removeText': 'It is no longer accepted. Delete it in the device or password manager, too.',
  'passkey.removed': 'The passkey is removed',
  'passkey.unavailable':
    'Passkeys need https with a host name, or localhost. The operator sets the public URL of the service.',
  'passkey.otherOrigin': 'Passkeys work at {origin} only. Open the console there to add or use one.',
} as const
