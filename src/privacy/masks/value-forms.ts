/** The forms a value takes in a header, in a URL, in JSON inside a text, in HTML, or encoded. */
export function valueForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '')
  return [
    value,
    inJson,
    // Some languages escape everything outside ASCII.
    inJson.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    JSON.stringify(inJson).slice(1, -1),
    ...percentEncode(value),
    escapeHtml(value, '&#39;'),
    escapeHtml(value, '&#x27;'),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ]
}

/** Languages differ in which characters they encode. */
function percentEncode(value: string): string[] {
  // A lone surrogate cannot be encoded.
  const script = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
  const strict = script.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return [script, strict].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
    form.replaceAll('%40', '@'),
    form.replaceAll('%2F', '/'),
  ])
}

function escapeHtml(value: string, apostrophe: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
}
