// QR codes (model 2, byte mode): the modules that a printer draws for the data of GS ( k and ESC GS y. Source: ISO/IEC 18004.
import { encode } from 'uqr'

export type QrLevel = 'L' | 'M' | 'Q' | 'H'

// Capacity of versions 1 to 40 in bytes, so that the size is known without drawing the code.
// biome-ignore format: a table reads better in rows
const CAPACITY: Readonly<Record<QrLevel, readonly number[]>> = {
  L: [17,32,53,78,106,134,154,192,230,271,321,367,425,458,520,586,644,718,792,858,929,1003,1091,1171,1273,1367,1465,1528,1628,1732,1840,1952,2068,2188,2303,2431,2563,2699,2809,2953],
  M: [14,26,42,62,84,106,122,152,180,213,251,287,331,362,412,450,504,560,624,666,711,779,857,911,997,1059,1125,1190,1264,1370,1452,1538,1628,1722,1809,1911,1989,2099,2213,2331],
  Q: [11,20,32,46,60,74,86,108,130,151,177,203,241,258,292,322,364,394,442,482,509,565,611,661,715,751,805,868,908,982,1030,1112,1168,1228,1283,1351,1423,1499,1579,1663],
  H: [7,14,24,34,44,58,64,84,98,119,137,155,177,194,220,250,280,310,338,382,403,439,461,511,535,593,625,658,698,742,790,842,898,958,983,1051,1093,1139,1219,1273],
}

/** Modules per side. Null if the data is too long for any QR code. */
export function qrSide(dataBytes: number, level: QrLevel): number | null {
  const index = CAPACITY[level].findIndex((most) => dataBytes <= most)
  return index < 0 ? null : 21 + 4 * index
}

/**
 * The modules of these bytes in the smallest version that holds them: rows, true = black, without quiet zone. Always uses the first mask:
 * printers choose their own, all masks are equally readable, and comparing them takes three to six times as long.
 */
export function qrModules(data: Uint8Array, level: QrLevel): boolean[][] | null {
  if (qrSide(data.length, level) === null) return null
  return encode(Array.from(data), { ecc: level, border: 0, maskPattern: 0 }).data
}
