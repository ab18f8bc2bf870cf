// Words that are the beginning of many a password where this program is used: Spanish, Chinese in pinyin, German, French, and those of the trade.
// The lists of the estimator are English. Words that are short enough to be part of anything else are left out.

/** The most usual first in each: the estimator counts by place. */
export const COMMON_WORDS: readonly string[] = [
  ...words(`
    contraseña contrasena clave secreto bienvenido bienvenida bienvenidos hola holahola teamo tequiero teamomucho miamor amorcito
    cocina cocinero cocinera restaurante camarero camarera comida cerveza cafeteria taberna bodega tapas paella pedidos tickets impresora
    caja cajero gerente jefe jefa encargado encargada administrador usuario sistema españa espana barcelona madrid sevilla valencia
    realmadrid atletico futbol verano invierno primavera otoño otono enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo estrella princesa mariposa corazon
    familia gracias buenosdias alejandro carmen maria manuel antonio francisco javier lucia guadalupe chocolate tortuga
  `),
  ...words(`
    mima mimamima woaini woaini520 woaini1314 woaiwo wo5201314 aini aini1314 5201314 1314520 52013140 7758521 7758258 520520 5211314
    woaizhongguo zhongguo beijing shanghai guangzhou shenzhen nihao nihaoma xiexie huanying huanyingguanglin chufang canting fandian
    fanguan jiudian chushi laoban laobanniang guanli guanliyuan dayinji dingdan xiaoxin baobao baobei laopo laogong zhangwei wangwei
    wangfang lina liwei facai gongxi gongxifacai xinniankuaile shengrikuaile wodemima denglu yonghu
  `),
  ...words(`
    passwort kennwort geheim willkommen hallo hallohallo schatz schatzi ichliebedich liebe sommer winter frühling fruehling herbst
    januar februar märz maerz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag
    freitag samstag sonntag küche kueche koch köchin gasthaus gaststätte gaststaette wirtschaft wirtshaus bierstube kellner kellnerin
    bestellung drucker kasse chef chefin verwaltung benutzer deutschland berlin hamburg münchen muenchen köln koeln fussball fußball
    bayern schalke borussia sonnenschein familie danke
  `),
  ...words(`
    motdepasse secret bienvenue bonjour bonsoir soleil jetaime jetaimebeaucoup doudou chouchou loulou azerty azertyuiop cuisine cuisinier
    serveur serveuse brasserie bistrot traiteur commande imprimante caisse gérant gerant patron patronne été hiver printemps automne
    janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre lundi mardi mercredi
    jeudi vendredi samedi dimanche france paris marseille lyon toulouse camille chocolat famille merci
  `),
  ...words(`
    kitchen restaurant bistro trattoria pizzeria osteria cantina tavern diner canteen cafe coffee pizza pasta burger kebab sushi ramen
    noodles waiter waitress bartender barista manager admin administrator owner staff cashier printer orders order ticket receipt epson
    till counter welcome service summer winter spring autumn
  `),
]

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
