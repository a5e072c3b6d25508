/** Has the browser save a text as a file. */
export function download(name: string, { type, text }: { type: string; text: string }): void {
  downloadParts(name, { type, parts: [text] })
}

/** The same for a long text in parts. */
export function downloadParts(name: string, { type, parts }: { type: string; parts: readonly string[] }): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address))
}
