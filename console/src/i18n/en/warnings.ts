/** Ingestion warnings: what was dropped, changed and refused, why, and what to do. */
export const warnings = {
  'warnings.tab': 'Warnings',
  'warnings.label': 'Ingestion warnings',
  'warnings.failed': 'The warnings could not be loaded',
  'warnings.none': 'No warnings',
  'warnings.noneText': 'Everything that arrived in this period was stored as it was sent.',
  'warnings.noMatch': 'No warnings match the filters',
  'warnings.source': 'Source',
  'warnings.anySource': 'Any source',
  'warnings.effect': 'What happened',
  'warnings.anyEffect': 'Any result',
  'warnings.dropped': 'Not stored',
  'warnings.changed': 'Changed',
  'warnings.rejected': 'Refused',
  'warnings.period': 'Period',
  'warnings.day': 'Last 24 hours',
  'warnings.week': 'Last 7 days',
  'warnings.reason': 'Reason',
  'warnings.sdk': 'SDK',
  'warnings.count': 'Count',
  'warnings.firstSeen': 'First seen',
  'warnings.lastSeen': 'Last seen',
  'warnings.sample': 'Sample',
  'warnings.sampleText': 'Values are described rather than shown, because they may be personal.',
  'warnings.noSample': 'There is no sample of this warning.',
  'warnings.notAnObject.title': 'Not an event',
  'warnings.notAnObject.text':
    'An item of a batch is not a JSON object, so it is not stored. Send a list of objects.',
  'warnings.noName.title': 'No name',
  'warnings.noName.text':
    'The event has no name, so it is not stored. Set the name in the call that sends it.',
  'warnings.noId.title': 'No ID',
  'warnings.noId.text':
    'The event names neither a person nor a device, so it is not stored. Set the distinct ID, user ID or device ID.',
  'warnings.invalidId.title': 'Invalid ID',
  'warnings.invalidId.text':
    'The ID is longer than 1,024 characters, begins with cookieless- or has invalid characters. The event is not stored. Send another ID.',
  'warnings.otherKey.title': 'Another key',
  'warnings.otherKey.text':
    'The event has a different key from its request, so it is not stored. Send the events of each project in their own requests.',
  'warnings.unknownVisitor.title': 'Unknown visitor',
  'warnings.unknownVisitor.text':
    'A cookieless event needs a user agent and an address, and is not stored without them. Let proxies pass both on.',
  'warnings.unknownType.title': 'Unknown type',
  'warnings.unknownType.text': 'Messages of this type are not stored. Send them as another type.',
  'warnings.groups.title': 'Groups',
  'warnings.groups.text':
    'Groups have no equivalent, so updates of groups are not stored. Send what you need of a group as properties of events.',
  'warnings.recordings.title': 'Session recordings',
  'warnings.recordings.text': 'Session recordings are not stored. Turn them off in the SDK to save traffic.',
  'warnings.engagement.title': 'Reading time',
  'warnings.engagement.text':
    'Reading time is not an event and is not stored. You do not need to change anything.',
  'warnings.schema.title': 'Breaks its schema',
  'warnings.schema.text':
    'A property of a typed event is missing or has a wrong value, so the event is not stored. Send what the schema asks for.',
  'warnings.blocked.title': 'Blocked event',
  'warnings.blocked.text':
    'The dictionary blocks this event, so it is not stored. Set another state in Events to store it again.',
  'warnings.otherDay.title': 'Cookieless, of another day',
  'warnings.otherDay.text':
    'Cookieless events are only stored on the day on which they happen. Send them when they happen.',
  'warnings.salt.title': 'No secret for cookieless visitors',
  'warnings.salt.text':
    'The secret of the day is missing, so cookieless events are not stored. Check the state store of the service.',
  'warnings.textCut.title': 'Text cut',
  'warnings.textCut.text': 'A text was longer than 1,024 characters and has been cut. Send shorter texts.',
  'warnings.charactersReplaced.title': 'Characters replaced',
  'warnings.charactersReplaced.text':
    'A text had characters that are not valid Unicode. Cut texts between characters, not between bytes.',
  'warnings.propertyLeftOut.title': 'Property left out',
  'warnings.propertyLeftOut.text':
    'A property had a name or a value that is too long, or the event had more than 256 properties. Send less.',
  'warnings.traitLeftOut.title': 'Person property left out',
  'warnings.traitLeftOut.text':
    'A property of a person breaks a limit, or the person is not identified. Identify the person first.',
  'warnings.operation.title': 'Operation not supported',
  'warnings.operation.text':
    'Changes that depend on the value before, such as adding to a number or a list, are not made. Send the new value.',
  'warnings.timeReplaced.title': 'Time replaced',
  'warnings.timeReplaced.text':
    'The time of the event could not be read, so it has the time of its arrival. Send times in ISO 8601.',
  'warnings.clock.title': 'Wrong clock',
  'warnings.clock.text':
    'The clock of the client is more than a minute off. Events are stored as sent, with $clock_skew_ms. Correct the clock of servers.',
  'warnings.invalidEvent.title': 'Invalid event',
  'warnings.invalidEvent.text':
    'An event breaks a rule, so the whole request was refused. Correct the field below.',
  'warnings.unreadable.title': 'Unreadable request',
  'warnings.unreadable.text':
    'The request could not be read and was refused. Send valid JSON in the form of the SDK.',
  'warnings.tooLarge.title': 'Request too large',
  'warnings.tooLarge.text':
    'The request is larger than the service takes and was refused. Send smaller batches.',
  'warnings.compression.title': 'Unknown compression',
  'warnings.compression.text':
    'The request was refused. Compress requests with gzip, br or zstd, or not at all.',
  'warnings.keyExpired.title': 'Key expired',
  'warnings.keyExpired.text':
    'The key of the requests has expired, so they were refused. Deploy a newer key.',
  'warnings.otherAddress.title': 'Address not allowed',
  'warnings.otherAddress.text':
    'The key works only from the addresses that it lists, and the requests came from others. Add the addresses, or revoke the key if somebody else has it.',
  'warnings.rate.title': 'Rate limit',
  'warnings.rate.text':
    'The key sent more events than it may, so requests were refused. Send fewer, or raise the limit. An SDK that sends again loses nothing.',
  'warnings.unavailable.title': 'Service unavailable',
  'warnings.unavailable.text':
    'The service could not take requests in time. Check its health. An SDK that sends again loses nothing.',
  'warnings.other.title': 'Another reason',
  'warnings.other.text':
    'This page has no description of the reason. Reload it after an upgrade of the service.',
} as const
