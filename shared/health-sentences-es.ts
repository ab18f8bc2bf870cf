// What is wrong with a box and what to do about it, in Spanish: for the box's own page and for the relay's. `{name}` stands for a value from the box.
import type { FindingSentences } from './health-words.ts'

export const ES_SENTENCES: FindingSentences = {
  'not-paired': {
    title: 'Sin vincular',
    text: 'Este equipo Ticketrail aún no pertenece a ningún restaurante: no llegan pedidos. Escriba un código de vinculación en Ajustes. Impresoras y pantallas funcionan sin ello.',
  },
  'pairing-unusable': {
    title: 'La vinculación no sirve',
    text: 'No se puede leer la vinculación de este equipo: no llegan pedidos. Vincúlelo de nuevo con otro código de vinculación.',
  },
  'relay-unreachable': {
    title: 'Sin conexión con el servidor',
    text: 'Los pedidos nuevos esperan y llegan cuando vuelva la conexión. Compruebe internet. Lo que ya está aquí se imprime.',
  },
  'relay-refuses': {
    title: 'El servidor rechaza este equipo',
    text: 'Se le retiró el acceso, u otro equipo ocupa su lugar: no llegan pedidos. En Ajustes, desvincúlelo y vincúlelo con un código de vinculación nuevo. Lo que ya está aquí se imprime.',
  },
  'relay-certificate': {
    title: 'El servidor no puede demostrar quién es',
    text: 'No llegan pedidos. Mire primero si el reloj de este equipo es correcto. Si lo es, la dirección del servidor es errónea o alguien está en medio. Lo que ya está aquí se imprime.',
  },
  'no-printer': {
    title: 'Ninguna impresora',
    text: 'No se puede imprimir nada. Busque impresoras en la red o agregue una por su dirección.',
  },
  'no-default-printer': {
    title: 'Ninguna impresora recibe el resto',
    text: 'Los artículos cuya estación nadie atiende no tienen adónde ir. Diga qué impresora los recibe.',
  },
  'printer-paused': { title: '{printer} está en pausa', text: 'Sus tickets esperan hasta que alguien la reanude.' },
  'printer-untested': {
    title: '{printer} está sin probar',
    text: 'Imprima un ticket de prueba, mírelo y escriba su número: así se sabe que sus tickets se leen bien.',
  },
  'display-no-backup': {
    title: 'La pantalla {display} no tiene impresora de reserva',
    text: 'Nadie imprime sus pedidos cuando no responde. Elija una impresora que lo haga.',
  },
  'printer-other': {
    title: 'Otra impresora parece estar en el lugar de {printer}',
    text: 'Conocida: {known}. Encontrada: {found}. Si la cambió, acepte la nueva: sus tickets se imprimen allí enseguida. Si no, mire qué aparato tiene su dirección o si está bloqueada: apáguela y enciéndala.',
  },
  'printer-quieter': {
    title: '{printer} ya no responde como antes',
    text: 'Conocida: {known}. Encontrada: {found}. Tiene la dirección de hardware de esta impresora, pero ya no dice su nombre. Apáguela y enciéndala. Acéptela solo si se cambió su configuración: entonces imprime con la confirmación que da ahora.',
  },
  'printer-elsewhere': {
    title: '{printer} puede tener otra dirección',
    text: 'Conocida: {known}. Encontrada: {found}. O no coincide todo, o responden las dos, así que sus tickets no la siguen solos. Mire el aparato; acéptelo solo si es suyo.',
  },
  'disk-full': {
    title: 'El disco está lleno',
    text: 'Los pedidos se siguen imprimiendo con una reserva; se borra el historial terminado más antiguo. Quedan {freeBytes} de {totalBytes}. Quite archivos de este equipo o use una tarjeta más grande.',
  },
  'disk-low': {
    title: 'El disco está casi lleno',
    text: 'Se borra el historial terminado más antiguo para hacer sitio. Quedan {freeBytes} de {totalBytes}. Quite archivos de este equipo o use una tarjeta más grande.',
  },
  'page-https': {
    title: 'La página no responde por https',
    text: 'Nadie puede entrar desde otro dispositivo: {fault}. La impresión y las pantallas de cocina siguen.',
  },
  'page-certificate': {
    title: 'El certificado que se puso no se puede usar',
    text: 'Se usa otro certificado hasta que esto se arregle. Motivo: {fault}',
  },
  'page-certificate-ends': {
    title: 'El certificado que se puso acaba pronto, o ya ha acabado',
    text: 'Vale hasta {until}. Ponga uno nuevo en los mismos archivos: se usa en menos de un minuto.',
  },
  'database-replaced': {
    title: 'La base de datos estaba dañada y se ha sustituido',
    text: 'Tickets abiertos salvados, se imprimen marcados como posibles duplicados: {savedTickets}. No se pudieron leer: {lostTickets}; pregunte por esos pedidos en la caja registradora. Los archivos dañados están en {folder}. Una tarjeta que falla una vez vuelve a fallar: cámbiela.',
  },
  'older-image': {
    title: 'El disco es una copia antigua: se marcó lo que esperaba en él',
    text: 'Se volvió a poner una copia o una imagen del disco. Lo que esperaba puede estar ya en papel, así que se imprime como posible duplicado, salvo que el servidor supiera su resultado. Compare los tickets marcados con el papel; no hay que hacer nada más. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'older-image-settled': {
    title: 'El disco es una copia antigua: nada de lo que esperaba en él se imprime',
    text: 'Se volvió a poner una copia o una imagen del disco. El servidor sabía los resultados de todo lo que esperaba en él. No hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'another-machine': {
    title: 'La tarjeta viene de otro equipo o su base de datos se movió: se marcó lo que esperaba en ella',
    text: 'El otro equipo puede haberlo impreso, así que se imprime como posible duplicado, salvo que el servidor supiera su resultado. Si el otro equipo sigue funcionando con una tarjeta igual, desvincule este equipo y vuelva a vincularlo; si se cambió su placa, no hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'another-machine-settled': {
    title: 'La tarjeta viene de otro equipo o su base de datos se movió: nada de lo que esperaba en ella se imprime',
    text: 'El servidor sabía los resultados de todo lo que esperaba en ella. Si el otro equipo sigue funcionando con una tarjeta igual, desvincule este equipo y vuelva a vincularlo; si se cambió su placa, no hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'another-database': {
    title: 'Esta base de datos no es la de antes: se marcó lo que esperaba en ella',
    text: 'Puede estar ya en papel, así que se imprime como posible duplicado, salvo que el servidor supiera su resultado. Compare los tickets marcados con el papel; no hay que hacer nada más. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'another-database-settled': {
    title: 'Esta base de datos no es la de antes: nada de lo que esperaba en ella se imprime',
    text: 'El servidor sabía los resultados de todo lo que esperaba en ella. No hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'no-disk-proof': {
    title: 'Este equipo no puede saber si su disco es una copia antigua: se marcó lo que esperaba en él',
    text: 'Falta el archivo que lo dice: {file}. Lo que esperaba se imprime como posible duplicado, salvo que el servidor supiera su resultado. El archivo se ha creado de nuevo; déjelo ahí. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'no-disk-proof-settled': {
    title: 'Este equipo no puede saber si su disco es una copia antigua: nada de lo que esperaba en él se imprime',
    text: 'Falta el archivo que lo dice: {file}. El servidor sabía los resultados de todo lo que esperaba. El archivo se ha creado de nuevo; déjelo ahí. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'disk-proof-unusable': {
    title: 'Este equipo no puede anotar qué disco es el más nuevo',
    text: 'Este archivo no se puede leer ni escribir, o está dañado: {file}. Mientras tanto, lo que espera al arrancar se imprime como posible duplicado. Dé al equipo permiso de escritura en su carpeta, o ponga otra en GATEWAY_PROOF_FOLDER, y arránquelo de nuevo. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
  },
  'clock-unset': {
    title: 'No se sabe la hora',
    text: 'Al arrancar, el reloj de este equipo iba {behindMs} por detrás de la última hora conocida, así que sigue desde ella. Se corrige solo cuando responda el servidor o un servidor de hora.',
  },
  'clock-wrong': {
    title: 'El reloj de este equipo está mal',
    text: 'Se aparta {apartMs} del servidor. Los pedidos llegan a su hora, pero las conexiones seguras pueden fallar: deje que lo ajuste un servidor de hora (timedatectl set-ntp true).',
  },
  'memory-high': {
    title: 'Este equipo necesita casi toda su memoria',
    text: '{usedBytes} de {limitBytes}. En el límite el sistema lo termina y lo arranca de nuevo; no se pierde nada. Avise, por favor, con el archivo de diagnóstico.',
  },
  'update-undone': {
    title: 'Se deshizo la actualización a {version}',
    text: 'No llegó a estar lista, así que funciona otra vez la versión anterior. No se intenta de nuevo; la siguiente versión sí.',
  },
  'update-available': {
    title: 'La versión {version} está disponible',
    text: 'Se instala sola entre las 3 y las 5 de la noche, cuando no espera ningún ticket; después de tres días, también si esperan tickets (siguen en el disco). Instalar ahora: sudo ticketrail-gateway update now',
  },
  'unprintable-one': {
    title: 'Un carácter del pedido n.º {order} no se pudo imprimir',
    text: 'En el papel de {printer} hay en su lugar un número como [U+0378] o un ?. Pregunte qué se quería decir. Una impresora que imprime imágenes puede imprimir todo aquello para lo que este equipo tiene fuente: ponga un archivo .ttf, .otf o .woff en la carpeta fonts, junto a la base de datos de este equipo, y reinícielo.',
  },
  unprintable: {
    title: '{characters} caracteres del pedido n.º {order} no se pudieron imprimir',
    text: 'En el papel de {printer} hay en lugar de cada uno un número como [U+0378] o un ?. Pregunte qué se quería decir. Una impresora que imprime imágenes puede imprimir todo aquello para lo que este equipo tiene fuente: ponga un archivo .ttf, .otf o .woff en la carpeta fonts, junto a la base de datos de este equipo, y reinícielo.',
  },
  'tickets-parked': {
    title: 'Tickets que esperan su decisión en {printer}: {tickets}',
    text: 'No se sabe si están en papel, o son antiguos. Mire la impresora y luego imprímalos o resuelva cada uno en Tickets.',
  },
  'time-zone': {
    title: 'Zona horaria sin definir',
    text: 'Las horas de los tickets están en UTC. Defina la zona horaria del restaurante.',
  },
  'relay-name': {
    title: 'No se encuentra el nombre del servidor',
    text: 'Este equipo no tiene internet, o su servidor de nombres no responde. Mire el router y el cable de red. Lo que ya está aquí se imprime.',
  },
  'relay-no-way': {
    title: 'No hay camino hasta el servidor',
    text: 'La red de este equipo no llega a internet. Mire el router y el cable de red. Lo que ya está aquí se imprime.',
  },
  'relay-closed': {
    title: 'El servidor no acepta la conexión',
    text: 'Su dirección responde, pero nadie acepta la conexión: el servidor se está reiniciando, o hay un cortafuegos en medio. El equipo lo intenta solo de nuevo. Lo que ya está aquí se imprime.',
  },
  'relay-busy': {
    title: 'El servidor atenderá a este equipo en un momento',
    text: 'Está ahí, y muchos equipos vuelven a la vez. Ha dicho cuándo puede preguntar este de nuevo. Lo que ya está aquí se imprime.',
  },
  'time-zones-differ': {
    title: 'Este equipo y el servidor tienen zonas horarias distintas',
    text: 'Las páginas, las pantallas y el papel de este equipo usan {zone}, porque alguien la puso aquí. El servidor dice {relayZone}. Una de las dos está mal.',
  },
  'image-held': {
    title: 'Lo que esperaba aún no se imprime',
    text: 'El disco puede ser una copia antigua, así que este equipo pregunta antes al servidor qué está ya en papel. Espera la respuesta unos segundos y luego imprime, marcado.',
  },
  'box-hot': {
    title: 'El equipo está caliente',
    text: '{celsius} °C. Caliente va más lento. Póngalo de pie con un palmo de aire a cada lado, lejos de hornos, freidoras y del sol directo, sáquelo de armarios cerrados y quite el polvo de sus aberturas. El aviso desaparece solo cuando se enfría.',
  },
  'storage-worn': {
    title: 'El almacenamiento está casi gastado',
    text: 'Desgaste: {percent} %. Haga una copia de seguridad y cambie la tarjeta.',
  },
  'box-not-backed-up': {
    title: 'Sin copia de seguridad de este equipo',
    text: 'Nadie ha hecho una copia en los últimos 30 días. Si la tarjeta falla, hay que configurar de nuevo impresoras, estaciones y personas.',
  },
  'page-only-here': {
    title: 'Los celulares y las tabletas no llegan a este equipo',
    text: 'Su página solo responde en este equipo, en {url}. Para celulares y pantallas de cocina: GATEWAY_HTTP_HOST=0.0.0.0',
  },
  'nobody-signs-in': {
    title: 'Todavía nadie puede entrar',
    text: 'Abra la página y cree la primera persona. Su código: ticketrail-gateway welcome',
  },
  'board-unread': {
    title: 'No se pueden leer los pedidos abiertos',
    text: 'No se sabe qué muestran las pantallas. El equipo lo intenta solo de nuevo. Mire el registro y avise.',
  },
  'printer-down': { title: '{printer} no imprime', text: '{hint}' },
  'paper-low': { title: 'A {printer} le queda poco papel', text: '{hint}' },
  'printer-warning': { title: '{printer} avisa', text: '{hint}' },
  'printer-note': { title: '{printer}', text: '{text}' },
  'printer-idle': {
    title: '{printer} no imprime nunca',
    text: 'No atiende ninguna estación, ninguna regla la nombra y no sustituye a nadie. Dele una estación o quítela.',
  },
  'printer-passed-over': {
    title: '{printer} no recibe nada',
    text: 'Todas sus estaciones van a una impresora que va antes. Quíteselas a esa o dele otras a {printer}.',
  },
  'printer-no-backup': {
    title: '{printer} no tiene reserva',
    text: 'Nadie imprime sus tickets cuando falla. Elija otra impresora como reserva.',
  },
  'printers-share-address': {
    title: '{printer} y {other} tienen la misma dirección',
    text: 'Las dos imprimen en {address}, así que a cada una le llegan los tickets de la otra. Dé a cada una su dirección.',
  },
  'display-silent': {
    title: 'La pantalla {display} no responde',
    text: 'Hace un rato que no dice nada: ¿está encendida la tableta, y en esta red?',
  },
  'display-stuck': {
    title: 'La pantalla {display} no muestra pedidos nuevos',
    text: 'Responde, pero no recibe los pedidos o no los dibuja. Vuelva a cargar su página o reinicie la tableta.',
  },
  'no-screen-alive': {
    title: 'Ninguna pantalla de la cocina responde',
    text: 'No responde ninguna. ¿Están encendidas las tabletas, y hay red inalámbrica?',
  },
  'display-unclaimed': {
    title: 'Ninguna pantalla ha entrado como {display}',
    text: 'Abra la página de las pantallas en la tableta, con un código nuevo o con el código QR.',
  },
  'display-stands-in': {
    title: '{by} muestra también las estaciones de {display}',
    text: '{display} responde otra vez. Devuélvale sus estaciones, para que cada pantalla muestre las suyas.',
  },
  'station-unserved': {
    title: 'Ninguna impresora ni pantalla atiende {station}',
    text: 'Sus líneas salen en {printer}, que recibe el resto. Dé a la estación una impresora o una pantalla, o diga que la atiende {printer}.',
  },
  'station-no-screen': {
    title: 'Ninguna pantalla atiende {station}',
    text: 'Sus líneas están en la pantalla de otra estación, marcadas. Dé la estación a una pantalla.',
  },
}
