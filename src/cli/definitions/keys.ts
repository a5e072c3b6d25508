import type { CommandDefinition } from './definition.ts'

export const keysDefinition = {
  name: 'keys',
  summary: 'show, change and retire the key that encrypts stored secrets',
  synopsis: ['keys [--json]', 'keys rotate [--key-to <file>]', 'keys retire <id>'],
  about: [
    'Shows the secret keys by their ids, which one is current, and how many stored values each of them still encrypts. ' +
      'No key is printed.',
    'rotate changes the key. Where it lies in the data folder, a new one is made there; a service that runs on the folder ' +
      'goes over to it within seconds, without a restart, and encrypts everything with it in the background. Where the ' +
      'key is PERIGEE_SECRET_KEY, rotate makes a new one and prints what to do, so that no process stops working on the way.',
    'retire takes away a former key. It refuses as long as that key still encrypts anything. With a key end the links ' +
      'that it signed, and sessions that were not renewed since the change.',
    'docs/operating.md has the steps for several processes, and what to do when a key was stolen.',
  ],
  verbs: { rotate: null, retire: null },
  options: {
    'key-to': {
      type: 'string',
      value: '<file>',
      help: 'write the new key for PERIGEE_SECRET_KEY to this file and do not print it',
      completed: 'file',
      of: ['rotate'],
    },
    json: { type: 'boolean', help: 'print one JSON object instead of the table' },
  },
  remarks: ['Exit codes: 0 done, 1 something is in the way, 2 wrong arguments.'],
} as const satisfies CommandDefinition
