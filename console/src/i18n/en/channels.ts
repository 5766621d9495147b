/** The channels of a project: destinations of its notifications. */
export const channels = {
  'channels.new': 'New channel',
  'channels.none': 'No channels yet',
  'channels.noneText':
    'A channel receives the project’s notifications: email addresses, Slack, or your own webhook.',
  'channels.destination': 'Destination',
  'channels.state': 'State',
  'channels.kind': 'Send to',
  'channels.mail': 'Email',
  'channels.slack': 'Slack',
  'channels.webhook': 'Webhook',
  'channels.actions': 'Actions of {name}',
  'channels.edit': 'Edit channel',
  'channels.nameExample': 'On call',
  'channels.addresses': 'Email addresses, one per line',
  'channels.addressesHint': 'Up to 20. Each gets a separate email.',
  'channels.addressMany': 'A channel has at most {count} addresses.',
  'channels.url': 'Webhook URL',
  'channels.urlKeep': 'Leave it empty to keep the current URL.',
  'channels.slackHint':
    'In Slack, add an incoming webhook to the conversation and paste its URL. Tools that accept Slack’s messages work too.',
  'channels.webhookHint':
    'Millrace sends signed JSON to it. You get the signing secret once, in the next step.',
  'channels.create': 'Create channel',
  'channels.createdToast': '‘{name}’ created',
  'channels.signing': 'How to verify the signature',

  'channels.active': 'Active',
  'channels.failing': 'Failing',
  'channels.disabled': 'Disabled',
  'channels.failingSince': 'since {time}',
  'channels.failingText':
    'Every attempt since {time} failed. Millrace tries again on its own, and disables the channel after five days.',
  'channels.disabledByYou': 'It sends nothing until an admin enables it.',
  'channels.disabledFailing':
    'Every delivery failed for five days. Check the destination, send a test, then enable the channel.',
  'channels.disabledGone':
    'The webhook answered “410 Gone”: the address is no longer in use. Enter the new one, then enable the channel.',
  'channels.enable': 'Enable',
  'channels.disable': 'Disable',
  'channels.enabledToast': '‘{name}’ enabled',
  'channels.disabledToast': '‘{name}’ disabled',

  'channels.test': 'Send test',
  'channels.testText': 'Sends a notification now and shows the answer.',
  'channels.mailTaken': 'The mail server accepted the email. Check the inbox.',

  'channels.rotate': 'Replace signing secret…',
  'channels.rotateAsk': 'Replace the signing secret of {name}?',
  'channels.rotateText':
    'You get a new secret once. For 24 hours, requests are signed with both, so that you can change it without losing a notification.',
  'channels.rotateVerb': 'Replace secret',
  'channels.secretNow': 'Copy this signing secret now. You cannot see it again.',
  'channels.secretText': 'Your endpoint verifies the signature of each request with it.',

  'channels.delete': 'Delete channel…',
  'channels.deleteAsk': 'Delete {name}?',
  'channels.deleteText':
    'Notifications that it has not delivered yet are lost, and so is its log. You cannot undo it.',
  'channels.deleteVerb': 'Delete channel',
  'channels.deletedToast': '‘{name}’ deleted',

  'channels.deliveries': 'Deliveries',
  'channels.deliveriesNone': 'Nothing sent in the last 30 days.',
  'channels.more': 'Show more',
  'channels.pending': 'Waiting',
  'channels.delivered': 'Delivered',
  'channels.failed': 'Failed',
  'channels.attempts': { one: '{count} attempt', other: '{count} attempts' },
  'channels.nextAttempt': 'next attempt {time}',
  'channels.typeTest': 'Test',
  'channels.typeAlert': 'Alert',
  'channels.typeReport': 'Report',

  'channels.answered': 'The webhook answered with status {status}.',
  'channels.errorRedirect':
    'The webhook answered with status {status}. Redirects are not followed: enter the final URL.',
  'channels.errorNoHost': 'The host has no address. Check the URL.',
  'channels.errorPrivate':
    'The host has no public address. Use another one, or ask the operator to allow it in SERVICE_OUTBOUND_ALLOW.',
  'channels.errorUnreachable': 'The host cannot be reached.',
  'channels.errorTls': 'The host has no valid TLS certificate.',
  'channels.errorSlow': 'The host did not answer in time.',
  'channels.errorLarge': 'The answer is too large.',
  'channels.errorDisabled': 'The channel was disabled.',
  'channels.errorFull': 'Too many deliveries were waiting for this channel.',
  'channels.errorDay': 'Other deliveries of the channel failed for a day.',
  'channels.errorInternal': 'Something went wrong in the service.',
} as const
