import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ApiError, type Fields } from './ask.ts'

/**
 * The meaning of a refusal, and which field of a form it concerns, whatever the form calls it. Codes that are not
 * listed are shown as they are.
 */
const explanations: Readonly<Record<string, { fields?: readonly string[]; message: MessageDescriptor }>> = {
  invalid_email_or_password: { message: msg`Email and password do not match.` },
  email_not_verified: {
    message: msg`This address is not confirmed yet. We have sent the link again: check your mail.`,
  },
  invalid_email: { fields: ['email'], message: msg`This is not an email address.` },
  invalid_password: { fields: ['password', 'currentPassword'], message: msg`This is not your password.` },
  password_too_short: { fields: ['password', 'newPassword'], message: msg`Use at least 10 characters.` },
  password_too_long: { fields: ['password', 'newPassword'], message: msg`Use at most 128 characters.` },
  account_exists: { fields: ['email'], message: msg`This address has an account already. Sign in with it.` },
  invalid_name: { fields: ['name'], message: msg`A name must have 1 to 160 characters, in one line.` },
  invalid_code: { fields: ['code'], message: msg`This code is wrong or was used before.` },
  invalid_backup_code: { fields: ['code'], message: msg`This is not one of your backup codes, or it was used before.` },
  invalid_two_factor_cookie: { message: msg`This took too long. Sign in again.` },
  invalid_token: { message: msg`This link is not valid: it was used before or has expired.` },
  token_expired: { message: msg`This link has expired. Ask for a new one.` },
  not_found: { message: msg`This link is not valid: it was used before or has expired.` },
  no_single_sign_on: {
    fields: ['email'],
    message: msg`There is no single sign-on for addresses of this domain. Sign in another way.`,
  },
  other_sign_in: { message: msg`This sign-in began in another browser, took too long or was used. Begin again.` },
  session_not_fresh: { message: msg`Sign out and in again first.` },
}

export function explain({ status, code, message, fields }: ApiError): ApiError {
  const known = explanations[code]
  if (known === undefined) return new ApiError({ status, code, message, fields: { ...fields, ...fieldsOf(message) } })
  const words = i18n._(known.message)
  const named: Fields = Object.fromEntries((known.fields ?? []).map((field) => [field, [words]]))
  return new ApiError({ status, code, message: words, fields: named })
}

/** A body that is not as it should be is told as "[body.email] Invalid email address; [body.name] …". */
function fieldsOf(message: string): Fields {
  const found = [...message.matchAll(/\[body\.(\w+)\] ([^;]+)/g)]
  return Object.fromEntries(
    found.map(([, field = '', problem = '']) => {
      const rule = rules[field]
      return [field, [rule === undefined ? `${problem}.` : i18n._(rule)]]
    }),
  )
}

const rules: Readonly<Record<string, MessageDescriptor>> = {
  email: msg`This is not an email address.`,
  name: msg`A name must have 1 to 160 characters, in one line.`,
  password: msg`Use 10 to 128 characters.`,
  newPassword: msg`Use 10 to 128 characters.`,
}
