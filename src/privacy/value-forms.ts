/** The ways a value shows up in a URL, in JSON within a text, in HTML or encoded. Capitals do not matter. */
export function valueForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '')
  return [
    value,
    inJson,
    // As languages write it that keep to ASCII.
    inJson.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    JSON.stringify(inJson).slice(1, -1),
    ...percentForms(value),
    inHtml(value, '&#39;'),
    inHtml(value, '&#x27;'),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ]
}

/** Languages do not agree on what must be encoded. */
function percentForms(value: string): string[] {
  // Half a surrogate pair cannot be encoded.
  const script = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
  const strict = script.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return [script, strict].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
    form.replaceAll('%40', '@'),
    form.replaceAll('%2F', '/'),
  ])
}

function inHtml(value: string, apostrophe: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
}
