// The code of the thread of saml.ts: reads one response, or one document of metadata.
import { answerLater } from '#threads/answering.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import type { SamlAnswer, SamlQuestion } from './saml.ts'
import { readProviderMetadata } from './saml-metadata.ts'
import { readResponse } from './saml-response.ts'

answerLater(answer)

async function answer(question: SamlQuestion): Promise<SamlAnswer> {
  try {
    return question.type === 'response'
      ? { type: 'claims', claims: await readResponse(question.arrival) }
      : { type: 'metadata', metadata: readProviderMetadata(question.xml) }
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    return { type: 'trouble', trouble: error.message }
  }
}
