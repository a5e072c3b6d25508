// The part of Eleventy that the site uses. It has no types of its own, and it is installed only where the site is built.
declare module '@11ty/eleventy' {
  export class Eleventy {
    constructor(input: string, output: string, options: { quietMode: boolean; config: (to: Config) => void })
    write(): Promise<unknown>
  }

  export interface Config {
    setUseGitIgnore(isUsed: boolean): void
    addTemplate(path: string, text: string, data: Record<string, unknown>): void
    addFilter(name: string, filter: (value: string) => string): void
    amendLibrary(name: 'md', amend: (library: MarkdownIt) => void): void
    on(event: 'eleventy.after', listener: (after: { results: Written[] }) => void): void
  }

  export interface Written {
    outputPath: string
    content: string
  }

  export interface MarkdownIt {
    core: { ruler: { push(name: string, rule: (state: MarkdownState) => void): void } }
    renderer: { rules: Record<string, Rule | undefined> }
    utils: { escapeHtml(text: string): string }
  }

  export interface MarkdownState {
    tokens: Token[]
    env: { source: string }
  }

  export type Rule = (tokens: Token[], index: number) => string

  export interface Token {
    type: string
    tag: string
    info: string
    content: string
    children: Token[] | null
    attrGet(name: string): string | null
    attrSet(name: string, value: string): void
  }
}
