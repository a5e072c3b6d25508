import type { CommandDefinition } from './definition.ts'

const forLists = 'print one JSON object in place of the table'

export const tokenDefinition = {
  name: 'token',
  summary: 'create, list and revoke API tokens',
  synopsis: [
    'token create --name <name> --scope <read|write> [--workspace <id or name>] [--expires <date>]',
    'token list [--workspace <id or name>] [--json]',
    'token revoke <id> [--workspace <id or name>]',
  ],
  about: [
    "Without --workspace the owner's is meant. A date is 2027-01-31, the end of that day in UTC, or 2027-01-31T12:00:00Z. " +
      'A token is shown once, by create. All three work while the service runs and while it does not.',
  ],
  verbs: { create: null, list: null, revoke: null },
  options: {
    name: { type: 'string', value: '<name>', help: 'what the token is called', of: ['create'] },
    scope: {
      type: 'string',
      value: '<scope>',
      help: 'read or write',
      completed: ['read', 'write'],
      of: ['create'],
    },
    workspace: { type: 'string', value: '<id or name>', help: 'whose token it is' },
    expires: { type: 'string', value: '<date>', help: 'when it ends by itself', of: ['create'] },
    json: { type: 'boolean', help: forLists, of: ['list'] },
  },
} as const satisfies CommandDefinition

export const workspaceDefinition = {
  name: 'workspace',
  summary: 'list, create, revoke and restore workspaces, change their plan',
  synopsis: [
    'workspace list [--json]',
    'workspace create <name> [--plan <plan>]',
    'workspace plan <id or name> <plan>',
    'workspace setup-link [<id or name>]',
    'workspace revoke <id>',
    'workspace restore <id>',
  ],
  about: [
    'A new workspace is on the plan "free" unless another is given. A smaller plan raises intervals, pauses the newest ' +
      'monitors beyond its slots and keeps all data; a larger one resumes them. A set-up link makes whoever opens it an ' +
      "owner of the workspace, of the installation's own if none is named; it works once, for 24 hours, and ends the one " +
      "before. Revoke ends the workspace's tokens and agents at once, stops its checks within seconds, and gives nothing " +
      'back; its people cannot act in it. Restore opens it again and resumes those checks; tokens and agents stay ended. ' +
      'All work while the service runs and while it does not.',
  ],
  verbs: { list: null, create: null, plan: null, 'setup-link': null, revoke: null, restore: null },
  options: {
    plan: { type: 'string', value: '<plan>', help: 'the plan that a new workspace is on', of: ['create'] },
    json: { type: 'boolean', help: forLists, of: ['list'] },
  },
} as const satisfies CommandDefinition

export const payDefinition = {
  name: 'pay',
  summary: 'pay for a monitor at another Perigee, without an account there',
  synopsis: [
    'pay <service> <target> [--card <token> | --key <file> --token <token>] --budget <dollars>',
    '            [--set <member>=<value>]... [--json]',
    'pay <service> --credit <dollars> --api-key <file> [--card … | --key … --token …] --budget <dollars> [--json]',
  ],
  about: [
    'Creates a monitor at another Perigee, such as https://up.example.com, without an account there: pays for it, and ' +
      'prints the API key of the workspace that begins with the payment. What is paid and not used stays there as ' +
      'credit. With --credit it buys credit for a workspace that is there already.',
  ],
  options: {
    budget: { type: 'string', value: '<dollars>', help: 'what may be paid at most, such as 0.50' },
    card: {
      type: 'string',
      value: '<token>',
      help: 'a shared payment token, granted to the profile that the service names',
    },
    key: {
      type: 'string',
      value: '<file>',
      help: 'pays with a token of a chain, from the account whose private key (0x…) is in the file',
      completed: 'file',
    },
    token: {
      type: 'string',
      value: '<token>',
      help: 'which one: chain id, address and decimals, such as 8453:0x8335…2913:6',
    },
    set: {
      type: 'string',
      multiple: true,
      value: '<member>=<value>',
      help: `a member of the monitor, such as kind=ssl or 'locations=["eu"]'; may be repeated`,
    },
    credit: { type: 'string', value: '<dollars>', help: 'how much credit to buy, such as 5.00, instead of a monitor' },
    'api-key': {
      type: 'string',
      value: '<file>',
      help: 'the file with an API key of the workspace that the credit is for; it has to have the write scope',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  remarks: [
    'Without --card and --key it says what would be asked for, and nothing is paid.',
    'Exit code: 0 done, 1 not done, 2 wrong arguments.',
  ],
} as const satisfies CommandDefinition
