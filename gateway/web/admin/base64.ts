// Files as the box sends and takes them: base64 within JSON.

export function blobOf(base64: string, mediaType: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type: mediaType })
}

/** In slices: a call takes only so many arguments. */
export function base64Of(bytes: Uint8Array): string {
  const SLICE = 8_192
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(text)
}
