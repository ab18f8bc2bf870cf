// The version of both programs. A test holds it to package.json, which a bundled program cannot read.

export const VERSION = '0.1.0'
