/** Failures that the service names by a reason. Loaded with the first one. */
export const failures = {
  'failures.unexpected':
    'Something went wrong in the service. Its log has the cause under the ID of the request.',
  'failures.canceled': 'The request was cancelled. Try again.',
  'failures.tookTooLong': 'The request took too long. Try again.',
  'failures.queryTooLong': 'The query took too long. Choose a shorter period or narrower filters.',
  'failures.queryTooLarge': 'The query reads too much. Choose a shorter period or narrower filters.',
  'failures.noQueries': 'The service cannot answer queries at the moment. Try again in a minute.',
  'failures.noStore': 'The service cannot reach its data at the moment. Try again in a minute.',
  'failures.overloaded': 'The service is at its limit. Try again in a minute.',
  'failures.tooMany': 'Too many attempts in a short time. Try again later.',
  'failures.tooLarge': 'This is too large to send.',
  'failures.signedOut': 'The session or the link has expired. Sign in again.',
  'failures.wrongPassword': 'The email or the password is wrong.',
  'failures.signInAgain':
    'Enter the current password, or sign in by email link and set the password within 10 minutes.',
  'failures.noAccount': 'This address has no account. An admin of an organisation can invite it.',
  'failures.noSignIn': 'This service does not offer this way to sign in.',
  'failures.noProvider':
    'The sign-in provider cannot be reached, or rejects this service. Try again, or ask the operator.',
  'failures.ssoRequired':
    'Addresses of this domain sign in with the provider of their company only. Use its button.',
  'failures.otherAttempt':
    'This sign-in was started in another browser, was completed before, or took more than 10 minutes. Start again.',
  'failures.usedCode': 'This sign-in was used already or has expired. Start again.',
  'failures.providerRefused': 'The provider did not sign you in. Start again, or sign in another way.',
  'failures.badResponse':
    'The provider’s response is not valid for this service. Start again; if it happens again, tell the operator.',
  'failures.wrongClock':
    'The provider’s response has expired or lies in the future: a clock is wrong. Tell the operator.',
  'failures.unverifiedEmail':
    'The provider has not verified your email address. Verify it there, then sign in again.',
  'failures.notConnected':
    'An account with your address exists, but is not connected to this provider. Sign in to it as before, then connect the provider in the settings of your account.',
  'failures.identityChanged':
    'The account with your address is connected to another user of this provider. Sign in to it another way and disconnect that user, or ask the operator.',
  'failures.identityUsed':
    'This user of the provider is connected to another account. Disconnect it there first.',
  'failures.identityGone': 'This provider is no longer connected.',
  'failures.sessionGone': 'This session has ended already.',
  'failures.organisationGone': 'This organisation no longer exists.',
  'failures.noMember': 'You are not a member of this organisation.',
  'failures.projectClosed': 'You have no access to this project. Ask one of its admins for a role.',
  'failures.adminEverywhere':
    'An admin of the organisation is an admin of all its projects. Change their role in the organisation first.',
  'failures.notAGuest':
    'Their role in the project shows them every dashboard already. Share dashboards with guests only.',
  'failures.needsAdmin': 'Only an admin may do this.',
  'failures.needsRole': 'Your role does not allow this. An admin can change it.',
  'failures.alreadyMember': 'This address belongs to a member already.',
  'failures.memberGone': 'This person is no longer a member.',
  'failures.lastAdmin': 'An organisation needs an admin. Make another member an admin first.',
  'failures.lastMember': 'The last member cannot leave an organisation.',
  'failures.noInvitation': 'The invitation is for another address, or it was used or has expired.',
  'failures.invitationOver':
    'This invitation has expired, was revoked or was accepted before. An admin can send a new one.',
  'failures.invitedAccount': 'The invited address has an account. Sign in to it, then open the link again.',
  'failures.projectGone': 'This project no longer exists.',
  'failures.retentionMore': 'More events would be deleted than you confirmed. Try again.',
  'failures.projectTaken': 'The organisation already has a project with this name.',
  'failures.keyGone': 'This key no longer exists.',
  'failures.limit': 'There is no room for another one. Delete some first.',
  'failures.mailGone': 'The organisation has no mail provider.',
  'failures.factorRequired': 'This needs a second factor. Set one up in Settings, Account.',
  'failures.factorProof': 'Confirm with your second factor first.',
  'failures.factorCode': 'The code is wrong or was used before. Enter the newest one.',
  'failures.passkeyInvalid':
    'The passkey was not accepted: the request has expired or was used, or is for another account. Try again.',
  'failures.passkeyCopied':
    'The counter of this passkey went back, so a copy of it may exist. Use another way, then remove this passkey.',
  'failures.passkeyInUse': 'This passkey was added before.',
  'failures.passkeyGone': 'This passkey no longer exists.',
  'failures.noPasskeys':
    'Passkeys need https, or localhost. The operator sets the public URL of the service.',
  'failures.noFactor': 'The account has no second factor any more.',
  'failures.otherOrganisations':
    'The member belongs to organisations that you do not administer. Ask the operator of the service.',
  'failures.dashboardGone': 'This dashboard no longer exists.',
  'failures.goalGone': 'This goal no longer exists.',
  'failures.cohortGone': 'This cohort no longer exists.',
  'failures.savedInsightGone': 'This saved insight no longer exists.',
  'failures.versionGone': 'This version is no longer kept.',
  'failures.annotationGone': 'This annotation no longer exists.',
  'failures.nameGone': 'This name is no longer in the data dictionary.',
  'failures.channelGone': 'This channel no longer exists.',
  'failures.alertGone': 'This alert no longer exists.',
  'failures.reportGone': 'This report no longer exists.',
  'failures.personGone': 'This person no longer exists.',
  'failures.visitGone': 'This session has no events any more.',
  'failures.needsPassword': 'This dashboard needs its password.',
  'failures.campaignGone': 'This campaign no longer exists.',
  'failures.campaignSent': 'Sending has started. Only a scheduled campaign can be changed.',
  'failures.cohortUsed': 'This cohort is in use. Remove it there first.',
  'failures.cohortCycle': 'A cohort cannot contain itself.',
  'failures.fieldEmpty': 'Enter a value.',
  'failures.fieldNotification': 'Enter a title, a text or data for the app.',
  'failures.fieldEmail': 'This is not an email address.',
  'failures.fieldUrl': 'Enter a URL that starts with https:// or http://, without a user name.',
  'failures.fieldZone': 'This is not a time zone.',
  'failures.fieldPast': 'This time has passed.',
  'failures.fieldCharacter': 'This contains a character that cannot be stored.',
  'failures.fieldLong': { one: '{count} character at most.', other: '{count} characters at most.' },
  'failures.fieldShort': { one: '{count} character at least.', other: '{count} characters at least.' },
  'failures.fieldNumber': 'This is not a number.',
  'failures.fieldPassword': 'This is not the password of the account.',
  'failures.noPictures': 'This browser cannot draw pictures.',
  'failures.pictureLarge': 'The picture is too large.',
} as const
