// Words of menus that mean the same in English, Spanish and French: a caller says "papas fritas" where the menu has Pommes Frites.

/** One line a meaning; the first word stands for all. As `wordsOf` writes words, in the singular. */
const SAME: readonly string[] = [
  'burger hamburger hamburguesa',
  'fry frie frita frites frite',
  'potato potatoe papa patata pomme',
  'chicken pollo poulet',
  'steak bistec bistek filete entrecote',
  'beef res boeuf ternera',
  'pork cerdo puerco porc',
  'ham jamon jambon',
  'fish pescado poisson',
  'shrimp prawn camaron camarone gamba crevette',
  'salmon saumon',
  'tuna atun thon',
  'egg huevo oeuf',
  'cheese queso fromage',
  'onion cebolla oignon',
  'tomato tomatoe tomate',
  'garlic ajo ail',
  'mushroom champinon champinone seta hongo champignon',
  'lettuce lechuga laitue',
  'pickle pepinillo cornichon',
  'rice arroz riz',
  'bean frijol frijole',
  'bread pan',
  'butter mantequilla beurre',
  'milk leche lait',
  'oat avena avoine',
  'soy soya soja',
  'sauce salsa',
  'soup sopa soupe',
  'salad ensalada salade',
  'sandwich bocadillo',
  'wing alita aile',
  'coffee cafe',
  'tea te',
  'water agua eau',
  'juice jugo zumo jus',
  'beer cerveza biere',
  'wine vino vin',
  'coke coca',
  'cake pastel gateau',
  'apple manzana',
  'lemon limon limone citron',
  'orange naranja',
  'strawberry strawberrie fresa fraise',
  'chocolate chocolat',
  'cream crema creme',
  'ice hielo',
  'small pequeno pequena petit petite',
  'large grande big',
]

const MEANING: ReadonlyMap<string, string> = new Map(
  SAME.toReversed().flatMap((line) => {
    const [first = '', ...others] = line.split(' ')
    return others.map((word) => [word, first] as const)
  }),
)

/** @param word in the singular */
export function sameMeaning(word: string): string {
  return MEANING.get(word) ?? word
}
