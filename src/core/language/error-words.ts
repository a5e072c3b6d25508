import type { ErrorCode } from './error.ts'

export type ErrorWords = {
  /** The same for every problem of the code (RFC 9457 3.1.3). */
  title: string
  /** When it is answered, and what to do then. */
  meaning: string
}

/** Every code in words, for docs/errors.md and the page of the service that problem types lead to. */
export const errorWords: Readonly<Record<ErrorCode, ErrorWords>> = {
  invalid_json: words('Invalid JSON', 'The body is no JSON in UTF-8. Mend it.'),
  bad_request: words('Bad request', 'The request cannot be read. The message says what of it.'),
  missing_api_key: words(
    'Token missing',
    'No token was sent. Send one in `X-API-Key`; `/auth.md` says where it comes from.',
  ),
  invalid_api_key: words('Token invalid', 'The token is wrong or was revoked. Get another one.'),
  token_expired: words('Token expired', 'The token has expired. Get another one; agents exchange their assertion.'),
  not_signed_in: words('Not signed in', 'The session of the console has ended. Sign in again.'),
  not_a_member: words('Not a member', 'The person is no member of this workspace.'),
  provider_required: words('Single sign-on required', 'The workspace asks its members to sign in by its provider.'),
  forbidden_origin: words('Origin forbidden', 'A page of another origin asked with a session. Ask with a token.'),
  session_required: words('Session required', 'Only a person in the console can do this.'),
  payment_required: words('Payment required', 'Credit does not cover it. `help` says how to pay, and what.'),
  insufficient_scope: words('Scope insufficient', 'The token may only read. Use one with the write scope.'),
  insufficient_role: words('Role insufficient', 'Only owners of the workspace can do this.'),
  budget_exceeded: words(
    'Budget exceeded',
    "The program may spend no more of the workspace's credit. An owner of the workspace can raise the budget in the console.",
  ),
  wrong_person: words(
    'Wrong person',
    'This is for another person, such as the author of a comment or who was invited.',
  ),
  not_found: words('Not found', 'There is no such address, or no such record in this workspace. Ids are UUIDs.'),
  method_not_allowed: words('Method not allowed', 'The address takes other methods; `Allow` lists them.'),
  too_large: words('Too large', 'The body is larger than this operation takes.'),
  unsupported_media_type: words('Media type unsupported', 'Send the body as `application/json`.'),
  validation_failed: words('Validation failed', 'Some of the request is not valid. `fields` names what, and why.'),
  plan_required: words('Plan required', 'The plan of the workspace does not include this.'),
  limit_reached: words('Limit reached', 'The workspace has as many as it may have. Delete some, or ask for less.'),
  idempotency_key_reused: words('Idempotency key reused', 'The key stands for another request. Send a new key.'),
  claim_required: words('Claim required', 'A person has to take over the workspace first.'),
  contact_unconfirmed: words('Contact unconfirmed', 'The address was not confirmed yet.'),
  contact_disabled: words('Contact disabled', 'The contact is switched off. Switch it on first.'),
  delivery_failed: words('Delivery failed', 'The test could not be delivered. The message says why.'),
  not_renewable: words('Not renewable', 'The monitor is not paid by the month.'),
  unsupported_kind: words('Kind unsupported', 'Monitors of this kind cannot do this.'),
  unknown_software: words(
    'Software unknown',
    'Perigee knows no software of this name. The catalogue lists what it knows.',
  ),
  unrecognized_format: words('Format not recognised', 'The file is of no format that can be read.'),
  no_fix_version: words('Fix version missing', 'No version is known that fixes the finding. Name one.'),
  not_verifiable: words(
    'Not verifiable',
    'Scans from locations cannot see this software. The message says what to do.',
  ),
  still_open: words('Still open', 'The exposure goes on. A report is signed once it has ended.'),
  last_owner: words('Last owner', 'A workspace needs an owner. Make another one first.'),
  domain_not_proved: words(
    'Domain not proved',
    'The TXT record was not found. Publish it, wait for DNS, and try again.',
  ),
  domain_taken: words('Domain taken', 'Another workspace has proved the domain. It has to remove it first.'),
  not_by_hand: words('Not made by hand', 'The incident ends by its checks, not by hand.'),
  rate_limited: words('Rate limited', 'Too many requests. Wait as many seconds as `Retry-After` says.'),
  invalid_request: words('Request invalid', 'A request of an agent is not valid. The message says what of it.'),
  invalid_login_hint: words('Login hint invalid', 'The `login_hint` is no email address.'),
  invalid_issuer: words('Issuer invalid', 'The service does not trust the provider of the assertion.'),
  invalid_signature: words('Signature invalid', 'The assertion is not signed by its provider.'),
  invalid_audience: words('Audience invalid', 'The assertion is for another service.'),
  expired: words('Assertion expired', 'The assertion has expired, or is not valid yet. Get another one.'),
  replay_detected: words('Replay detected', 'The assertion was used before. Get another one.'),
  missing_verified_email: words('Verified email missing', 'The assertion has no verified email address.'),
  invalid_claim_token: words('Claim token invalid', 'There is no such claim token. Register again.'),
  claimed_or_in_flight: words('Claimed already', 'A person has confirmed the agent. Ask the token endpoint.'),
  claim_expired: words('Claim expired', 'The claim has expired. Register again.'),
  invalid_grant: words(
    'Grant invalid',
    'The assertion, the code or the refresh token has ended or was used. Begin again.',
  ),
  invalid_client: words('Client invalid', 'There is no such client. Register, or send a token that works.'),
  access_denied: words('Access denied', 'The person did not let the program in.'),
  invalid_scope: words('Scope invalid', 'The scopes are `read` and `write`, and the person agreed to these alone.'),
  invalid_target: words('Resource invalid', 'The `resource` is none of this service, or not the one agreed to.'),
  invalid_redirect_uri: words(
    'Return address invalid',
    'An address is https, or http on the own machine, without a fragment.',
  ),
  invalid_client_metadata: words('Client metadata invalid', 'A member of the registration is not as it should be.'),
  unsupported_grant_type: words(
    'Grant type unsupported',
    'The token endpoint takes other grants; the message names them.',
  ),
  authorization_pending: words('Authorization pending', 'The person has not confirmed yet. Keep asking.'),
  slow_down: words('Slow down', 'Wait five seconds longer between two questions.'),
  expired_token: words('Code expired', 'The code of the claim has expired. Ask for another one.'),
  temporarily_unavailable: words(
    'Temporarily unavailable',
    'A provider of identities does not answer. Try again later.',
  ),
  internal: words('Internal error', 'A defect of the service. Its log has the details under the id in `X-Request-Id`.'),
  payments_disabled: words(
    'Payments disabled',
    'It costs money, and this installation takes none, or no method takes this amount.',
  ),
  unavailable: words(
    'Unavailable',
    'The service cannot do it now, and has done nothing. Try again after `Retry-After` seconds.',
  ),
}

function words(title: string, meaning: string): ErrorWords {
  return { title, meaning }
}

/** Below the root of the service: a page with a place for each code. */
export const errorsPath = '/errors'

/** The type of a problem (RFC 9457 3.1.1). `publicUrl` has no final slash. */
export function problemTypeOf(publicUrl: string, code: ErrorCode): string {
  return `${publicUrl}${errorsPath}#${code}`
}

/** Null for a text that is no code of ours. */
export function errorCodeOf(text: string): ErrorCode | null {
  return isErrorCode(text) ? text : null
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorWords, text)
}
