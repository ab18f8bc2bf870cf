// What is wrong with a box and what to do about it, in simplified Chinese: for the box's own page and for the relay's. `{name}` stands for a value from the box.
import type { FindingSentences } from './health-words.ts'

export const ZH_HANS_SENTENCES: FindingSentences = {
  'not-paired': {
    title: '未配对',
    text: '本机还不属于任何餐厅：收不到订单。请在“设置”中输入配对码。打印机和显示屏不受影响。',
  },
  'pairing-unusable': { title: '配对无法使用', text: '无法读取本机的配对信息：收不到订单。请用新的配对码重新配对。' },
  'relay-unreachable': {
    title: '与服务器没有连接',
    text: '新订单在服务器上等待，连接恢复后到达。请检查网络。已收到的订单仍会打印。',
  },
  'relay-refuses': {
    title: '服务器拒绝本机',
    text: '本机已被撤销，或另一台机器占用了它的位置：不会收到订单。请在“设置”中解除配对，然后用新的配对码重新配对。已收到的订单仍会打印。',
  },
  'relay-certificate': {
    title: '服务器无法证明其身份',
    text: '不会收到订单。请先检查本机的时钟是否正确。如果正确，则服务器地址有误，或有人在中间拦截。已收到的订单仍会打印。',
  },
  'no-printer': { title: '没有打印机', text: '无法打印。请在网络中查找打印机，或按地址添加。' },
  'no-default-printer': {
    title: '没有打印机接收其余菜品',
    text: '没有打印机负责的工位的菜品无处可去。请指定由哪台打印机接收。',
  },
  'printer-paused': { title: '{printer} 已暂停', text: '小票会等待，直到有人让它继续。' },
  'printer-untested': {
    title: '{printer} 未测试',
    text: '请打印测试小票，查看后输入上面的数字：这样才知道小票能正确阅读。',
  },
  'display-no-backup': {
    title: '显示屏 {display} 没有备用打印机',
    text: '它没有应答时，没有打印机打印它的订单。请选择一台打印机。',
  },
  'printer-other': {
    title: '{printer} 的位置上似乎是另一台打印机',
    text: '已知：{known}。发现：{found}。如果已更换打印机，请接受新的：小票会立即在那里打印。如果没有，请查看哪台设备占用了它的地址，或它是否死机：请重启。',
  },
  'printer-quieter': {
    title: '{printer} 的应答与以前不同',
    text: '已知：{known}。发现：{found}。它有这台打印机的硬件地址，但不再报出自己的名称。请重启。只有更改过它的设置时才接受：之后按它现在能给出的证明打印。',
  },
  'printer-elsewhere': {
    title: '{printer} 可能换了地址',
    text: '已知：{known}。发现：{found}。可能并非全部一致，也可能两处都有应答，因此小票不会自动跟随。请查看该设备，只有确认是自己的才接受。',
  },
  'disk-full': {
    title: '磁盘已满',
    text: '订单仍会利用预留空间打印；最旧的已完成记录会被删除。剩余 {freeBytes}，共 {totalBytes}。请删除此设备上的文件，或更换更大的存储卡。',
  },
  'disk-low': {
    title: '磁盘快满了',
    text: '为腾出空间，最旧的已完成记录会被删除。剩余 {freeBytes}，共 {totalBytes}。请删除此设备上的文件，或更换更大的存储卡。',
  },
  'page-https': {
    title: '页面不响应 https',
    text: '无法从其他设备登录：{fault}。打印和厨房显示屏照常工作。',
  },
  'page-certificate': {
    title: '安装的证书无法使用',
    text: '问题解决之前使用另一个证书。原因：{fault}',
  },
  'page-certificate-ends': {
    title: '安装的证书即将到期或已到期',
    text: '有效期至 {until}。请把新证书放入相同的文件：一分钟内即会启用。',
  },
  'database-replaced': {
    title: '数据库已损坏并被替换',
    text: '已挽救的未完成小票（打印时标明可能重复）：{savedTickets}。无法读取：{lostTickets}；请向收银台核对这些订单。损坏的文件保存在 {folder}。出过一次问题的存储卡还会再出问题：请更换。',
  },
  'older-image': {
    title: '磁盘是较旧的副本：等待中的小票已标明',
    text: '有人放回了磁盘的备份或映像。等待中的小票可能已经打印，因此会标明可能重复再打印，除非服务器已知其结果。请将标明的小票与纸张核对；无需其他操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'older-image-settled': {
    title: '磁盘是较旧的副本：等待中的小票均不打印',
    text: '有人放回了磁盘的备份或映像。服务器已知所有等待中小票的结果。无需操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'another-machine': {
    title: '存储卡来自另一台设备，或数据库已移动：等待中的小票已标明',
    text: '另一台设备可能已经打印，因此会标明可能重复再打印，除非服务器已知其结果。如果另一台设备仍在使用相同的存储卡，请取消本机配对后重新配对；如果只是更换了主板，则无需操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'another-machine-settled': {
    title: '存储卡来自另一台设备，或数据库已移动：等待中的小票均不打印',
    text: '服务器已知所有等待中小票的结果。如果另一台设备仍在使用相同的存储卡，请取消本机配对后重新配对；如果只是更换了主板，则无需操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'another-database': {
    title: '数据库与之前的不同：等待中的小票已标明',
    text: '这些小票可能已经打印，因此会标明可能重复再打印，除非服务器已知其结果。请将标明的小票与纸张核对；无需其他操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'another-database-settled': {
    title: '数据库与之前的不同：等待中的小票均不打印',
    text: '服务器已知所有等待中小票的结果。无需操作。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'no-disk-proof': {
    title: '本机无法判断磁盘是否为较旧的副本：等待中的小票已标明',
    text: '用于判断的文件不见了：{file}。等待中的小票会标明可能重复再打印，除非服务器已知其结果。该文件已重新创建，请勿移动。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'no-disk-proof-settled': {
    title: '本机无法判断磁盘是否为较旧的副本：等待中的小票均不打印',
    text: '用于判断的文件不见了：{file}。服务器已知所有等待中小票的结果。该文件已重新创建，请勿移动。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'disk-proof-unusable': {
    title: '本机无法记录哪个磁盘是最新的',
    text: '此文件无法读写或已损坏：{file}。在此之前，启动时等待中的小票会标明可能重复再打印。请让本机可以写入其文件夹，或将 GATEWAY_PROOF_FOLDER 设为其他文件夹，然后重新启动本机。因服务器已有结果而撤下的小票：{withdrawn}。标明后打印的小票：{marked}。',
  },
  'clock-unset': {
    title: '时间未知',
    text: '启动时此设备的时钟比上次已知时间慢 {behindMs}，因此本机从该时间继续。服务器或时间服务器应答后会自动校正。',
  },
  'clock-wrong': {
    title: '此设备的时钟不准',
    text: '与服务器相差 {apartMs}。订单仍会准时到达，但安全连接可能失败：请让时间服务器校时（timedatectl set-ntp true）。',
  },
  'memory-high': {
    title: '本机几乎用完了内存',
    text: '{usedBytes}，上限 {limitBytes}。达到上限时系统会结束并重新启动它，不会丢失数据。请附上诊断文件报告此问题。',
  },
  'update-undone': {
    title: '对 {version} 的更新已撤销',
    text: '新版本未能就绪，因此恢复运行之前的版本。不会再次尝试此版本，下一个版本会。',
  },
  'update-available': {
    title: '版本 {version} 可用',
    text: '会在夜间 3 点到 5 点没有等待小票时自动安装；三天后即使有小票在等待也会安装（小票保留在磁盘上）。立即安装：sudo ticketrail-gateway update now',
  },
  'unprintable-one': {
    title: '订单 #{order} 有 1 个字符无法打印',
    text: '{printer} 的纸上以 [U+0378] 这样的编号或 ? 代替这个字符。请询问原意。能打印图像的打印机可以打印本机有字体的所有文字：请把 .ttf、.otf 或 .woff 文件放入本机数据库旁的 fonts 文件夹，然后重新启动本机。',
  },
  unprintable: {
    title: '订单 #{order} 有 {characters} 个字符无法打印',
    text: '{printer} 的纸上以 [U+0378] 这样的编号或 ? 代替这些字符。请询问原意。能打印图像的打印机可以打印本机有字体的所有文字：请把 .ttf、.otf 或 .woff 文件放入本机数据库旁的 fonts 文件夹，然后重新启动本机。',
  },
  'tickets-parked': {
    title: '{printer} 有 {tickets} 张小票等您处理',
    text: '不知道是否已经打印，或者时间过久。请查看打印机，然后让它们打印，或在“小票”中逐一处理。',
  },
  'time-zone': { title: '未设置时区', text: '小票上的时间是 UTC。请设置餐厅的时区。' },
  'relay-name': {
    title: '找不到服务器的名称',
    text: '本机没有网络，或域名服务器没有应答。请检查路由器和网线。已收到的订单仍会打印。',
  },
  'relay-no-way': {
    title: '无法到达服务器',
    text: '本机所在的网络连不上互联网。请检查路由器和网线。已收到的订单仍会打印。',
  },
  'relay-closed': {
    title: '服务器不接受连接',
    text: '它的地址有应答，但没有程序接受连接：服务器正在重启，或中间有防火墙。本机会自动重试。已收到的订单仍会打印。',
  },
  'relay-busy': {
    title: '服务器稍后接受本机',
    text: '服务器在线，许多设备同时重新连接。它已告知本机何时再询问。已收到的订单仍会打印。',
  },
  'time-zones-differ': {
    title: '本机与服务器的时区不同',
    text: '本机的页面、显示屏和小票使用 {zone}，因为有人在这里设置了它。服务器上是 {relayZone}。其中一个不对。',
  },
  'image-held': {
    title: '等待中的小票暂不打印',
    text: '磁盘可能是旧的副本，所以本机先向服务器询问哪些已经打印。等几秒钟，然后带标记打印。',
  },
  'box-hot': {
    title: '机器过热',
    text: '{celsius} °C。过热时会变慢。请将它竖放，四周各留一掌宽的空间，远离烤箱、炸炉和阳光直射，不要放在封闭的柜子里，并擦去通风口的灰尘。降温后此提示会自动消失。',
  },
  'storage-worn': { title: '存储卡寿命将尽', text: '已磨损 {percent}%。请先备份，再更换存储卡。' },
  'box-not-backed-up': {
    title: '本机没有备份',
    text: '最近 30 天没有人做过备份。存储卡损坏时，打印机、工位和人员都要重新设置。',
  },
  'page-only-here': {
    title: '手机和平板连不上本机',
    text: '本机的页面只在这台机器上应答：{url}。要让手机和厨房显示屏使用：GATEWAY_HTTP_HOST=0.0.0.0',
  },
  'nobody-signs-in': {
    title: '还没有人能登录',
    text: '请打开页面，设置第一位用户。代码：ticketrail-gateway welcome',
  },
  'board-unread': { title: '无法读取未完成的订单', text: '不知道显示屏上有什么。本机会自动重试。请查看日志并报告。' },
  'printer-down': { title: '{printer} 无法打印', text: '{hint}' },
  'paper-low': { title: '{printer} 的纸快用完了', text: '{hint}' },
  'printer-warning': { title: '{printer} 有提示', text: '{hint}' },
  'printer-note': { title: '{printer}', text: '{text}' },
  'printer-idle': {
    title: '{printer} 从不打印',
    text: '它不负责任何工位，没有规则用到它，也不是谁的备用机。请给它一个工位，或移除它。',
  },
  'printer-passed-over': {
    title: '{printer} 收不到任何内容',
    text: '它的所有工位都由排在前面的打印机负责。请从那台移除这些工位，或给 {printer} 其他工位。',
  },
  'printer-no-backup': { title: '{printer} 没有备用机', text: '出故障时没有打印机接替。请选择另一台作为备用。' },
  'printers-share-address': {
    title: '{printer} 与 {other} 的地址相同',
    text: '两台都在 {address} 打印，所以会打出对方的小票。请给每台各自的地址。',
  },
  'display-silent': {
    title: '显示屏 {display} 没有应答',
    text: '它已有一段时间没有消息：平板开着吗？在这个网络里吗？',
  },
  'display-stuck': {
    title: '显示屏 {display} 不显示新订单',
    text: '它有应答，但收不到订单或没有画出订单。请重新加载页面，或重启平板。',
  },
  'no-screen-alive': { title: '厨房里没有显示屏应答', text: '所有显示屏都没有消息。平板开着吗？无线网络正常吗？' },
  'display-unclaimed': {
    title: '还没有显示屏以 {display} 登录',
    text: '请在平板上打开显示屏页面，输入新代码或扫描二维码。',
  },
  'display-stands-in': {
    title: '{by} 也在显示 {display} 的工位',
    text: '{display} 已恢复应答。请把工位还给它，让每块显示屏只显示自己的。',
  },
  'station-unserved': {
    title: '没有打印机或显示屏负责 {station}',
    text: '它的菜品在接收其余菜品的 {printer} 打印。请给这个工位一台打印机或一块显示屏，或指定由 {printer} 负责。',
  },
  'station-no-screen': {
    title: '没有显示屏负责 {station}',
    text: '它的菜品显示在其他工位的显示屏上，带有标记。请把这个工位分配给一块显示屏。',
  },
}
