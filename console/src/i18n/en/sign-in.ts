/** The sign-in page. */
export const signIn = {
  'signIn.title': 'Sign in to Millrace',
  'signIn.email': 'Email',
  'signIn.password': 'Password',
  'signIn.continue': 'Continue',
  'signIn.sendLink': 'Send link',
  'signIn.byLink': 'Sign in by email link',
  'signIn.byPassword': 'Sign in with a password',
  'signIn.google': 'Sign in with Google',
  'signIn.provider': 'Sign in with {name}',
  'signIn.googleStorage':
    'The browser blocks the storage of this page, which the way back from Google needs.',
  'signIn.googleOther': 'This answer from Google belongs to another tab. Start again.',
  'signIn.googleRefused': 'Google did not sign you in: {reason}',
  'signIn.or': 'or',
  'signIn.anotherWay': 'Sign in another way',
  'signIn.linkText': 'This link signs you in.',
  'signIn.linkSent': 'Check your inbox',
  'signIn.linkSentText':
    'If {email} has an account or an invitation, a link is on its way. It works once, within 15 minutes. On a service without a mail server, the link is in its log.',
  'signIn.wrongPassword': 'The email or the password is wrong.',
  'signIn.factorText': 'Enter the code that your authenticator app shows.',
  'signIn.factorCode': 'Code',
  'signIn.passkeyText': 'Confirm with a passkey of your account.',
  'signIn.recoveryText': 'Enter one of your recovery codes. Each works once.',
  'signIn.recoveryCode': 'Recovery code',
  'signIn.useRecovery': 'Use a recovery code',
  'signIn.useApp': 'Use the authenticator app',
  'signIn.lostFactor':
    'If you have none of these, an admin of your organisation can reset your second factor.',
  'signIn.tooMany': 'Too many attempts. Wait a moment, then try again.',
  'signIn.unreachable': 'The service cannot be reached. Check the connection, then try again.',
  'signIn.badLink': 'The link was used already or has expired. Get a new one.',
  'signIn.joinTitle': 'Join an organisation',
  'signIn.joinText': 'You already have an account. Sign in to join.',
  'signIn.joinOther':
    'You are signed in as {email}. The invitation is for another address, or its link was used or has expired.',
  'signIn.joinSwitch': 'Use another account',
  'signIn.joinLeave': 'Continue without joining',
  'signIn.joinOver':
    'This invitation has expired, was revoked, or was accepted before. An admin can send a new one.',
  'signIn.joined': 'You joined {name}',
  'signIn.passwordRemoved':
    'Your password was removed, because the admin who invited you could have set it. Set a new one in Settings.',
} as const
