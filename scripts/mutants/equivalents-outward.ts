import type { Equivalent } from './equivalent.ts'

/** Changes of contacts, payments and MCP that no test can find. */
export const equivalentsOfOutward: readonly Equivalent[] = [
  {
    file: 'src/contacts/wording/slo-wording.ts',
    line: 'const over = durationText((seconds ?? 1) * 1000)',
    because: 'An alert that tells of a burn rate has the time over which it burned; the others do not tell of it.',
  },
  {
    file: 'src/contacts/wording/slo-wording.ts',
    line: 'lead: `In the last ${over}, the error budget of ${name} burned at ${rate ?? 1} times the sustainable rate. ${leftSentence(slo)}`,',
    because: 'An alert of a budget that burns has its rate.',
  },
  {
    file: 'src/payments/card.ts',
    line: 'return 1',
    because: 'An attempt of no age and one of a millisecond are on the same side of every limit.',
  },
  {
    file: 'src/payments/stripe.ts',
    line: "return status === 'succeeded' ? 0 : 2",
    because: 'Ranks are only compared with each other.',
  },
  {
    file: 'src/mcp/short-evidence.ts',
    line: 'for (let count = data.evidence.length; count >= 0; count -= 1) {',
    because: 'Without any piece it is what is answered where not even one has room.',
  },
  {
    file: 'src/mcp/protocol.ts',
    line: 'const answer = await createMcpHandler(create, { maxSubscriptions: 1 }).fetch(request, { parsedBody })',
    because: 'What is answered to one that wants to listen takes the place of what the SDK says.',
  },
  {
    file: 'src/identity/openid-connect.ts',
    line: 'idTokenExpected: false,',
    because: 'A nonce is expected too, which only an ID token has.',
  },
  {
    file: 'src/identity/openid-connect.ts',
    line: 'if (held !== undefined && held.version === client.version && Date.now() - held.readAt <= freshMs)',
    because: 'Ten minutes are not kept to the millisecond.',
  },
]
