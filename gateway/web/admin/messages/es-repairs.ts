// What is wrong and what to do, in Spanish. `{name}` stands for a value from the box.
import type { enRepairs } from './en-repairs.ts'

export const esRepairs = {
  severities: { error: 'Avería', warning: 'Aviso', info: 'Consejo' },
  sentences: {
    'not-paired': {
      title: 'Sin vincular',
      text: 'Esta caja aún no pertenece a ningún restaurante: no llegan pedidos. Escriba un código en Ajustes. Impresoras y pantallas funcionan sin ello.',
    },
    'pairing-unusable': {
      title: 'La vinculación no sirve',
      text: 'No se puede leer la vinculación de esta caja: no llegan pedidos. Vincúlela de nuevo con otro código.',
    },
    'relay-unreachable': {
      title: 'Sin conexión con el servidor',
      text: 'Los pedidos nuevos esperan y llegan cuando vuelva la conexión. Compruebe internet. Lo que ya está aquí se imprime.',
    },
    'relay-refuses': {
      title: 'El servidor rechaza esta caja',
      text: 'Se le retiró el acceso, u otra caja ocupa su lugar: no llegan pedidos. En Ajustes, desvincúlela y vincúlela con un código nuevo. Lo que ya está aquí se imprime.',
    },
    'relay-certificate': {
      title: 'El servidor no puede demostrar quién es',
      text: 'No llegan pedidos. Mire primero si el reloj de esta caja es correcto. Si lo es, la dirección del servidor es errónea o alguien está en medio. Lo que ya está aquí se imprime.',
    },
    'no-printer': {
      title: 'Ninguna impresora',
      text: 'No se puede imprimir nada. Busque impresoras en la red o añada una por su dirección.',
    },
    'no-default-printer': {
      title: 'Ninguna impresora recibe el resto',
      text: 'Los artículos cuya partida nadie atiende no tienen adónde ir. Diga qué impresora los recibe.',
    },
    'time-zone': {
      title: 'Zona horaria sin definir',
      text: 'Las horas de los tickets están en UTC. Defina la zona horaria del restaurante en Ajustes.',
    },
    'printer-paused': { title: '{printer} está en pausa', text: 'Sus tickets esperan hasta que alguien la reanude.' },
    'printer-untested': {
      title: '{printer} está sin probar',
      text: 'Imprima un ticket de prueba, mírelo y escriba su número: así se sabe que sus tickets se leen bien.',
    },
    'no-backup': {
      title: '{printer} no tiene reserva',
      text: 'Nadie imprime sus tickets cuando falla. Elija otra impresora como reserva.',
    },
    'display-no-backup': {
      title: 'La pantalla {display} no tiene impresora de reserva',
      text: 'Nadie imprime sus pedidos cuando no responde. Elija una impresora que lo haga.',
    },
    'display-unseen': {
      title: 'La pantalla {display} no responde, y nadie imprime en su lugar',
      text: 'Los pedidos de sus partidas no se ven en otro sitio. Encienda la pantalla o elija una impresora que los imprima mientras tanto.',
    },
    'printer-other': {
      title: 'Otra impresora parece estar en el lugar de {printer}',
      text: 'Conocida: {known}. Encontrada: {found}. Si la cambió, acepte la nueva: sus tickets se imprimen allí enseguida. Si no, mire qué aparato tiene su dirección o si está bloqueada: apáguela y enciéndala.',
    },
    'printer-quieter': {
      title: '{printer} ya no responde como antes',
      text: 'Conocida: {known}. Encontrada: {found}. Tiene la dirección de hardware de esta impresora, pero ya no dice su nombre. Apáguela y enciéndala. Acéptela solo si se cambió su configuración: entonces imprime con la prueba que da ahora.',
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
      text: 'Nadie puede entrar desde otro equipo: {fault}. La impresión y las pantallas de cocina siguen.',
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
      text: 'El otro equipo puede haberlo impreso, así que se imprime como posible duplicado, salvo que el servidor supiera su resultado. Si el otro equipo sigue funcionando con una tarjeta igual, desvincule esta caja y vuelva a vincularla; si se cambió su placa, no hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
    },
    'another-machine-settled': {
      title: 'La tarjeta viene de otro equipo o su base de datos se movió: nada de lo que esperaba en ella se imprime',
      text: 'El servidor sabía los resultados de todo lo que esperaba en ella. Si el otro equipo sigue funcionando con una tarjeta igual, desvincule esta caja y vuelva a vincularla; si se cambió su placa, no hay que hacer nada. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
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
      title: 'La caja no puede saber si su disco es una copia antigua: se marcó lo que esperaba en él',
      text: 'Falta el archivo que lo dice: {file}. Lo que esperaba se imprime como posible duplicado, salvo que el servidor supiera su resultado. El archivo se ha creado de nuevo; déjelo ahí. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
    },
    'no-disk-proof-settled': {
      title: 'La caja no puede saber si su disco es una copia antigua: nada de lo que esperaba en él se imprime',
      text: 'Falta el archivo que lo dice: {file}. El servidor sabía los resultados de todo lo que esperaba. El archivo se ha creado de nuevo; déjelo ahí. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
    },
    'disk-proof-unusable': {
      title: 'La caja no puede anotar qué disco es el más nuevo',
      text: 'Este archivo no se puede leer ni escribir, o está dañado: {file}. Mientras tanto, lo que espera al arrancar se imprime como posible duplicado. Dé a la caja permiso de escritura en su carpeta, o ponga otra en GATEWAY_PROOF_FOLDER, y arránquela de nuevo. Tickets retirados porque el servidor tenía sus resultados: {withdrawn}. Tickets que se imprimen marcados: {marked}.',
    },
    'clock-unset': {
      title: 'No se sabe la hora',
      text: 'Al arrancar, el reloj de este equipo iba {behindMs} por detrás de la última hora conocida, así que la caja sigue desde ella. Se corrige solo cuando responda el servidor o un servidor de hora.',
    },
    'clock-wrong': {
      title: 'El reloj de este equipo está mal',
      text: 'Se aparta {apartMs} del servidor. Los pedidos llegan a su hora, pero las conexiones seguras pueden fallar: deje que lo ajuste un servidor de hora (timedatectl set-ntp true).',
    },
    'memory-high': {
      title: 'La caja necesita casi toda su memoria',
      text: '{usedBytes} de {limitBytes}. En el límite el sistema la termina y la arranca de nuevo; no se pierde nada. Avise, por favor, con el archivo de diagnóstico.',
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
      title: 'Tickets que le esperan en {printer}: {tickets}',
      text: 'No se sabe si están en papel, o son antiguos. Mire la impresora y luego imprímalos o resuelva cada uno en Tickets.',
    },
  },
  notes: {
    away: '{printer} no está: {backup} tiene sus tickets',
    moved: '{printer} tiene otra dirección',
    'moved-back': '{printer} ha vuelto a su dirección anterior',
    several: 'Varios dispositivos responden con la dirección de hardware de {printer}',
    taken: 'En la nueva dirección de {printer} hay otra impresora configurada',
    'not-yet': 'Puede que {printer} tenga otra dirección',
  },
  lookAtTicket: 'Ver el ticket',
  printerDown: '{printer} no imprime',
  printerWarns: '{printer} avisa',
  fixes: {
    'discover.start': 'Buscar impresoras',
    'printers.update': 'Que los reciba {printer}',
    'printers.resume': 'Reanudar',
    'printers.test': 'Imprimir ticket de prueba',
    'displays.update': 'Que los imprima {backup}',
    'printers.accept': 'Aceptar el aparato encontrado',
    'printers.release': 'Imprimirlos',
  },
} satisfies typeof enRepairs
