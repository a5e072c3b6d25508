import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import type { Message } from '#net/http/http-request.ts'
import { digestChallenges, signInByDigest } from './digest.ts'

const message: Message = {
  url: new URL('http://www.example.org/dir/index.html'),
  method: 'GET',
  headers: {},
  body: null,
}
const mufasa = { name: 'Mufasa', secret: 'Circle of Life' }
const clientNonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
const places =
  'realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
const [md5, sha256] = [
  `Digest qop="auth, auth-int", algorithm=MD5, ${places}`,
  `Digest qop="auth, auth-int", algorithm=SHA-256, ${places}`,
]

async function answerTo(header: string, credentials = mufasa): Promise<string> {
  const answer = signInByDigest(credentials, () => clientNonce).answerTo(message, header)
  return (await answer?.())?.['authorization'] ?? assert.fail('There is no answer.')
}

describe('a digest', () => {
  // RFC 7616 3.9.1
  for (const [what, header, response] of [
    ['MD5', md5, '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', sha256, '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ['the better of two', `${md5}, ${sha256}`, '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ['MD5, which is meant where none is named', md5.replace('algorithm=MD5, ', ''), '8ca523f5e9506fed4657c9700eebdbec'],
  ] as const)
    it(`of ${what} is that of the standard`, async () =>
      assert.match(await answerTo(header), new RegExp(`, response="${response}", `)))

  it('says all that it answers', async () => {
    assert.equal(
      await answerTo(sha256),
      'Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
        'uri="/dir/index.html", response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", ' +
        `algorithm=SHA-256, opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, cnonce="${clientNonce}"`,
    )
  })

  it('is that of RFC 2069 for a server that knows no qop', async () => {
    // RFC 2069 2.4, as erratum 749 corrects it.
    const header = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    assert.match(
      await answerTo(header, { name: 'Mufasa', secret: 'CircleOfLife' }),
      /uri="\/dir\/index.html", response="1949323746fe6a43ef61f9606e7febea"$/,
    )
  })

  it('hides the name where the server asks for that, and writes other letters as RFC 8187 says', async () => {
    assert.match(await answerTo(`${sha256}, userhash=true`), /^Digest username="[\da-f]{64}", .*, userhash=true$/)
    const named = await answerTo(sha256, { name: "Jäsøn o'Doe", secret: 'x' })
    assert.match(named, /^Digest username\*=UTF-8''J%C3%A4s%C3%B8n%20o%27Doe, /)
  })

  it('quotes what it repeats', async () => {
    assert.match(await answerTo(String.raw`Digest realm="a \"b\" \\", nonce="c"`), /realm="a \\"b\\" \\\\", nonce="c"/)
  })

  for (const [what, headers, refusal] of [
    ['that is refused', [md5, md5], 'the server refuses the name or the password'],
    ['that is stale again', [md5, `${md5}, stale=true`], 'the server calls its own nonce stale'],
    ['that nobody asks for', ['Basic realm="x"'], 'the server asks for no digest'],
    ['that is asked for in silence', [''], 'the server asks for no digest'],
    [
      'of another algorithm',
      [`Digest algorithm=SHA-512-256, ${places}`],
      'the server asks for a digest of another form than MD5 or SHA-256 with qop auth',
    ],
    [
      'of the body',
      [`Digest qop="auth-int", ${places}`],
      'the server asks for a digest of another form than MD5 or SHA-256 with qop auth',
    ],
  ] as const)
    it(`${what} is told`, () => {
      const signIn = signInByDigest(mufasa)
      for (const header of headers) signIn.answerTo(message, header)
      assert.equal(signIn.refusal(), refusal)
    })

  it('is made once more for a nonce that became stale, and not for ever', () => {
    const signIn = signInByDigest(mufasa)
    const isAnswered = (header: string): boolean => signIn.answerTo(message, header) !== null
    const stale = `${md5}, stale=TRUE`
    assert.deepEqual([md5, stale, stale].map(isAnswered), [true, true, false])
    assert.equal(signInByDigest(mufasa).headersFor(message), null)
  })
})

describe('challenges', () => {
  it('are read beside those of other schemes', () => {
    const header =
      'Negotiate, Basic realm="x, y", Digest realm="a", nonce="b" , qop=auth, NTLM abc==, digest realm=c,nonce=d'
    assert.deepEqual(
      digestChallenges(header).map((challenge) => Object.fromEntries(challenge)),
      [
        { realm: 'a', nonce: 'b', qop: 'auth' },
        { realm: 'c', nonce: 'd' },
      ],
    )
  })

  it('are read at once, whatever comes', () => {
    const part = fc.constantFrom('Digest ', 'realm="a"', 'nonce=', '"', '\\', ',', ' ', '=', 'x', '-'.repeat(50))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (header) => {
          for (const challenge of digestChallenges(header)) assert.ok(challenge.has('realm') && challenge.has('nonce'))
        },
      ),
    )
    for (const unit of ['a', 'a ', 'a="', 'Digest ', '\\"', 'a=', ' ']) {
      const startedAt = performance.now()
      digestChallenges(unit.repeat(64_000 / unit.length))
      assert.ok(performance.now() - startedAt < 200, `It took ${performance.now() - startedAt} ms for ${unit}.`)
    }
  })
})
