/** An element of a page or of an XML document, as it must be. */
export type ExpectedElement = {
  selector: string
  match?: 'present' | 'absent' | 'equals' | 'contains' | undefined
  value?: string | undefined
}

/** What is asked of a text that others sent, which may cost anything. Only a pattern may be about another text than the body. */
export type Question =
  | { type: 'pattern'; pattern: string; text?: string | undefined }
  | { type: 'json_schema'; schema: object }
  | { type: 'jsonata'; expression: string }
  | { type: 'elements'; expected: readonly ExpectedElement[]; isXml: boolean }
  | { type: 'first match'; pattern: string }
  | { type: 'first element'; selector: string; attribute: string | undefined; isXml: boolean }

export type QuestionType = Question['type']

/**
 * Null where it is as it should be, else what is wrong, as a sentence without its end; of a pattern it is empty. Where
 * the first of something is asked for: what was found, and null where there is none.
 */
export type Answer = string | null

export type Questions = { body: string; questions: readonly Question[] }
