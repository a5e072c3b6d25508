import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PersonMailContent } from '#core/people/person-mail.ts'
import { personMail } from './person-mails.ts'

const to = 'ada@example.com'
const token = 'secret-token'

/** Each mail with what its link has to lead to. */
const mails: [PersonMailContent, string][] = [
  [{ mail: 'verify_email', to, token }, 'https://up.example/verify-email#token=secret-token'],
  [
    { mail: 'change_email', to, token, new_email: 'b@example.com' },
    'https://up.example/verify-email#token=secret-token',
  ],
  [{ mail: 'sign_in_link', to, token, return_to: null }, 'https://up.example/sign-in/link#token=secret-token'],
  [
    { mail: 'sign_in_link', to, token, return_to: '/claim?a=1' },
    'https://up.example/sign-in/link#token=secret-token&return_to=%2Fclaim%3Fa%3D1',
  ],
  [{ mail: 'reset_password', to, token }, 'https://up.example/reset-password#token=secret-token'],
  [{ mail: 'existing_account', to }, 'https://up.example/sign-in'],
  [{ mail: 'password_changed', to }, 'https://up.example/sign-in'],
  [{ mail: 'invitation', to, token, invited_by: 'o@example.com' }, 'https://up.example/invitation#token=secret-token'],
]

describe('mails to people', () => {
  for (const [content, link] of mails)
    it(`${content.mail} leads to ${link}`, () => {
      const message = personMail(content, 'https://up.example')
      assert.equal(message.to, to)
      assert.ok(message.text.includes(`: ${link}\n`), message.text)
      assert.ok(message.html.includes(`href="${link.replaceAll('&', '&amp;')}"`), message.html)
      assert.ok(message.subject.length > 0 && !/[\r\n]/.test(message.subject))
      assert.match(message.text, /up\.example/)
      assert.equal(message.headers['Auto-Submitted'], 'auto-generated')
      assert.ok(!('List-Unsubscribe' in message.headers), 'nobody can end these')
    })
})
