"""Ways in which a page hides a word, and others in which it only seems to: rules of a sheet, and a body
that says W once. "+" is seen in Chromium, "-" is not; a "!" behind it is where we are known to say
otherwise: what takes a layout, a state or a part of CSS that is not read."""

# Declarations of one element; what stands behind a "|" are rules.
STYLES = """
-  display:none;display:xyz
-  display:none;display:-moz-box
-  opacity:0;opacity:foo
-  visibility:hidden;visibility:shown
-  position:absolute;left:-9999px;left:5
-  position:absolute;left:-9999px;position:stuck
-  font-size:0;font-size:12
-  font-size:0;font-size:huge
-  color:#fff;color:notacolor
-  color:#fff;color:#12345
-  clip-path:inset(100%);clip-path:blob(3)
-  d\\69splay:none
-  display:n\\6f ne
-  display:/**/none
-  display/* x */:none
-  display:none/* x */
+  di/**/splay:none
-  display:none !important;display:block
-  display:none ! important;display:block
-  display:block;all:initial;display:none
+  display:none;all:unset
+  opacity:0;all:initial
-  opacity:0%
-  opacity:1%
+  opacity:50%
-  opacity:calc(0 * 1)
-  opacity:calc(1 - 1)
+  opacity:calc(.5 + .5)
-  opacity:max(0, -1)
-  opacity:-3
-  opacity:+0
-  opacity:0e5
-  opacity:1e-9
-  font-size:calc(1px - 1px)
-  font-size:calc(2px / 4)
-  font-size:clamp(0px, 1px, 2px)
+  font-size:clamp(12px, 1px, 20px)
-  font-size:min(1px, 20px)
+  font-size:max(1px, 20px)
+  font-size:calc(10px + 1em)
-! font-size:calc(1em * .05)
+  font-size:0.01em
+  font-size:5%
-  font-size:.05rem
-  font-size:0.1vw
-  font-size:1e-3px
+  font-size:xx-small
-  font-size:0.4mm
-  font-size:.1q
-  font:italic 0 serif
-  font:0px/2 monospace
-  font:calc(1px - 1px) serif
+  font:12px/1 monospace
-  zoom:.05
-  zoom:5%
+  zoom:.9
+  zoom:0
-  text-indent:-100vw
-  text-indent:calc(-1 * 9999px)
-  text-indent:100%;white-space:nowrap;overflow:hidden
-  text-indent:2000px;overflow:hidden;white-space:nowrap
+  text-indent:2em;overflow:hidden
-  text-indent:-200%;overflow:hidden
-  position:absolute;left:calc(0px - 9999px)
+  position:absolute;left:calc(100px - 80px)
-  position:absolute;left:max(-9999px, -8888px)
-  position:absolute;inset-inline-start:-9999px
-  position:absolute;inset-block-start:-9999px
-  position:absolute;inset-inline:-9999px auto
-  position:absolute;inset:-9999px auto auto
-  position:absolute;right:150vw
-  position:fixed;left:9999px
-  position:fixed;top:200vh
-  position:fixed;right:-9999px
-  position:fixed;bottom:-9999px
+  position:fixed;left:5px;top:5px
-  position:fixed;left:-100%;width:100%
-  position:fixed;left:0;transform:translateX(-100%)
+  position:absolute;left:40px;transform:translateX(-50%)
-  position:relative;left:-9999px
+  position:sticky;left:-9999px
-  margin-inline-start:-9999px
-  margin-inline:-9999px 0
-  margin-block-start:-9999px
-  margin:-9999px
-  margin-left:-300vw
-  transform:translate3d(-9999px,0,0)
-  transform:translate(0,-9999px)
-  transform:translate( -9999px )
-  transform:TRANSLATEX(-9999px)
-  transform:translateX(calc(-1 * 9999px))
+  transform:translateX(10px)
-  transform:scale3d(0,1,1)
-  transform:scale(.001)
-  transform:scale(0%)
-  transform:scale( 0 )
-  transform:scale(1,0)
+  transform:scaleX(.9)
+  transform:scale(-1)
-  transform:rotateX(90deg)
-  transform:rotateX( 0.25turn )
-  transform:rotateY(1.5708rad)
-  transform:rotateY(270deg)
-  transform:rotate3d(1,0,0,90deg)
-! transform:rotate(90deg) translate(60px,-300px)
-! transform:rotate(5deg)
+  transform:rotateY(45deg)
-  transform:matrix(0, 0, 0, 1, 0, 0)
-  transform:matrix(1,0,0,1,-9999,0)
+  transform:matrix(1,0,0,1,5,5)
-  transform:matrix(.5,.5,.5,.5,0,0)
-  transform:matrix3d(0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)
-  transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-9999,0,0,1)
+  transform:skewX(10deg)
-  transform:scale(0) scale(9)
+  transform:none
+  transform:translateX(-9999px) translateX(9999px)
-  rotate:x 90deg
-  rotate:y 90deg
-  rotate:1 0 0 90deg
-! rotate:10deg
-  scale:.001
-  scale:0%
+  scale:none
-  scale:1 1 0
-  translate:calc(-1 * 9999px)
-  translate:0 -9999px
+  translate:5px
-  clip-path:inset(0 100% 0 0)
-  clip-path:inset(60% 0 40% 0)
-  clip-path:inset(0 0 100%)
-  clip-path:inset(999px)
+  clip-path:inset(0)
-! clip-path:inset(5px 5%)
-  clip-path:circle(0px at 50% 50%)
-  clip-path:circle(0%)
+  clip-path:circle(90%)
-  clip-path:ellipse(0 50%)
-  clip-path:ellipse(50% 0)
+  clip-path:ellipse(90% 90%)
-  clip-path:polygon(0 0)
-  clip-path:polygon(0px 0px, 0px 100%, 0px 50%)
-  clip-path:polygon(10% 10%, 10% 10%, 10% 10%)
-  clip-path:polygon(0 0, 100% 0, 50% 0)
-  clip-path:polygon(evenodd, 0 0, 0 0, 0 0)
+  clip-path:polygon(0 0, 100% 0, 100% 100%, 0 100%)
-  clip-path:path("M0 0")
-  clip-path:path("M0 0 L0 0 Z")
+  clip-path:path("M0 0H900V900H0Z")
-  clip-path:rect(0 0 0 0)
-  clip-path:rect(5px 5px 5px 5px)
+  clip-path:rect(0 auto auto 0)
-  clip-path:xywh(0 0 0 0)
+  clip-path:xywh(0 0 100% 100%)
-  clip-path:circle(0) border-box
+  clip-path:border-box
-  position:absolute;clip:rect(0,0,0,0)
-  position:absolute;clip:rect(0px 0px 0px 0px)
-  position:absolute;clip:rect(auto, 0, auto, 0)
+  position:absolute;clip:rect(auto auto auto auto)
-  position:absolute;clip:RECT(0 0 0 0)
+  clip:rect(0 0 0 0)
-  mask:linear-gradient(transparent,transparent)
-  mask-image:linear-gradient(#0000,#0000)
-  mask-image:linear-gradient(rgba(0,0,0,0), hsla(0,0%,0%,0))
-  -webkit-mask:linear-gradient(transparent,transparent)
-  -webkit-mask-image:linear-gradient(transparent 0%, transparent 100%)
+  mask-image:linear-gradient(#000,#000)
+  mask-image:radial-gradient(#000,#000)
-  mask-image:linear-gradient(#000,#000);mask-size:0 0;mask-repeat:no-repeat
+  mask-image:none
-  filter:opacity(0%)
-  filter:opacity(.001)
+  filter:opacity(.9)
-  filter:blur(0) opacity( 0 )
-  filter:blur(60px)
+  filter:blur(.2px)
+  filter:brightness(0)
+  filter:drop-shadow(0 0 1px #000)
-  -webkit-filter:opacity(0)
-  color:rgb(255 255 255)
-  color:rgba(255,255,255,1)
-  color:rgb(100% 100% 100%)
-  color:hsl(0 0% 100%)
-  color:hsl(200, 50%, 99.5%)
+  color:hsl(200, 50%, 30%)
-  color:hsla(0,0%,100%,1)
-  color:hwb(0 100% 0%)
+  color:hwb(0 0% 100%)
-  color:lab(100% 0 0)
+  color:lab(40% 20 20)
-  color:lch(100% 0 0)
+  color:lch(40% 60 20)
-  color:oklab(1 0 0)
-  color:oklab(100% 0 0)
+  color:oklab(.4 .1 0)
-  color:oklch(1 0 0)
-  color:oklch(100% 0 0)
+  color:oklch(.4 .1 20)
+  color:oklch(40% 0.2 30)
-  color:color(srgb 1 1 1)
+  color:color(srgb 0 .2 .4)
-  color:color(display-p3 1 1 1)
-  color:color(srgb-linear 1 1 1)
-  color:color-mix(in srgb, white, white)
-  color:color-mix(in srgb, white 99%, black)
+  color:color-mix(in srgb, white 50%, black)
-  color:color-mix(in oklch, white, #fff 40%)
-  color:color-mix(in srgb, transparent, transparent)
-  color:color-mix(in srgb, black 0%, white)
+  color:color-mix(in lab, red, blue)
-  color:light-dark(white, black)
+  color:light-dark(black, white)
-  color:rgb(from white r g b)
-  color:rgb(from black r g b / 0)
+  color:rgb(from white 0 0 0)
-  color:Canvas
+  color:CanvasText
-  color:mintcream
-  color:aliceblue
+  color:rebeccapurple
-  color:azure
-  color:#ffffff00
-  color:#fff0
+  color:#000f
-  color:rgb(255 255 255 / 5%)
-  color:rgb(0 0 0 / 2%)
+  color:rgb(0 0 0 / 60%)
-  color:rgba(0,0,0,.01)
-  color:rgb(none none none / 0)
-  color:rgb(300 300 300)
-  color:WHITE
-  color:#FFF
+  color:currentcolor
+  color:inherit
+  color:initial
+  color:unset
+  color:transparent;text-shadow:0 0 0 #000
+  color:transparent;text-shadow:1px 1px 0 black
-  color:transparent;text-shadow:none
+  color:transparent;-webkit-text-stroke:1px black
-  color:transparent;-webkit-text-stroke:0 black
+  color:white;text-shadow:0 0 3px #000, 0 0 3px #000
-  -webkit-text-fill-color:transparent
-  -webkit-text-fill-color:white;color:black
+  -webkit-text-fill-color:black;color:white
-  -webkit-text-fill-color:currentcolor;color:white
-  color:#000;background:#000
-  color:#123456;background:color-mix(in srgb, #123456, #123456)
-  color:hsl(120 50% 40%);background:hsl(120 50% 40%)
-  color:oklch(.5 .1 90);background:oklch(.5 .1 90)
-  color:steelblue;background:steelblue
-  color:white;background:linear-gradient(white,white)
+  color:white;background:linear-gradient(#000,#000)
+  color:white;background:linear-gradient(90deg, #222, #555)
-  color:white;background-image:linear-gradient(to right, #fff 0%, white 100%)
+  color:white;background-color:#fff;background-image:linear-gradient(#000,#000)
-  color:#00f;background-color:#eee;background-image:linear-gradient(blue,blue)
-  color:red;background:radial-gradient(red, #f00)
-  color:red;background:conic-gradient(red, red)
-  color:red;background:repeating-linear-gradient(red, red 10px)
-  color:white;background:none
-  color:white;background:no-repeat
+  color:white;background:#333 none no-repeat
+  color:white;background:rgb(0 0 0 / 50%)
-  color:white;background:rgb(0 0 0 / 1%)
-  color:black;background:rgb(0 0 0 / 99%)
-  color:#222;background:rgb(0 0 0 / 90%)
-  color:white;background:initial
+  color:white;background:#111;background:nonsense
-  color:#eee;background:#eee
-  color:#ddd;background:#eee
+  color:#777;background:#eee
-! color:white;background:linear-gradient(#000,#000) no-repeat 0 0/0 0
+  color:transparent;background:linear-gradient(#000,#000);background-clip:text
-  color:transparent;background:linear-gradient(#fff,#fff);background-clip:text
-  color:transparent;background:white;-webkit-background-clip:text
+  color:transparent;background:#024;background-clip:text
+  color:white;background:#000 content-box
-  color:white;mix-blend-mode:difference
-  content-visibility:hidden
+  content-visibility:auto
-  height:0;overflow:hidden
-  height:0;overflow:auto
-  height:0;overflow:scroll
-  height:0;overflow:clip
+  height:0;overflow:visible
-  height:0;overflow-y:hidden
-  height:0;overflow-x:hidden
-  height:0;contain:paint
-  height:0;contain:strict
-  height:calc(1px - 1px);overflow:hidden
+  height:0;overflow:hidden;padding-bottom:3em
+  height:0;overflow:hidden;padding:2em 0
+  height:0;overflow:hidden;min-height:40px
-  height:0;min-height:0;overflow:hidden
-  max-height:0;overflow:hidden;padding-top:2em
-  max-height:0;overflow:hidden;padding:0
-  max-height:1px;overflow:hidden
+  max-height:10em;overflow:hidden
-  block-size:0;overflow:hidden
-  inline-size:0;overflow:hidden
-  max-block-size:0;overflow:hidden
-  max-inline-size:0;overflow:hidden
-  width:0;overflow:hidden
+  width:0;overflow:hidden;min-width:200px
+  width:0
+  width:0;height:0
-  width:1px;height:1px;overflow:hidden
-  width:.1em;height:.1em;overflow:hidden
-  line-height:0;overflow:hidden
+  line-height:0
+! letter-spacing:-2em
+! letter-spacing:-999px
+  letter-spacing:1px
+  word-spacing:-2px
+  content:none
+  content:"x"
-  content:url("data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=")
-  content:linear-gradient(white,white)
-  animation:go 1s forwards|@keyframes go{to{opacity:0}}
-  animation:go 1ms both|@keyframes go{from{opacity:1}100%{visibility:hidden}}
-  animation-name:go;animation-duration:1ms;animation-fill-mode:forwards|@keyframes go{to{opacity:0}}
+  animation:go 1ms forwards|@keyframes go{to{opacity:.9}}
+  animation:go 1ms|@keyframes go{to{opacity:0}}
+  opacity:0;animation:come 1ms forwards|@keyframes come{to{opacity:1}}
-  opacity:0;animation:come 1ms|@keyframes come{to{opacity:1}}
+  opacity:0;animation:1ms ease come both|@-webkit-keyframes come{to{opacity:1}}@keyframes come{from{opacity:0}to{opacity:1}}
-  opacity:0;animation:none|@keyframes come{to{opacity:1}}
+  animation:none forwards|@keyframes go{to{opacity:0}}
+  opacity:1!important;animation:go 1ms forwards|@keyframes go{to{opacity:0}}
-  display:var(--a)|:root{--a:none}
+  display:var(--a)|:root{--a:block}
-  display:var(--b,none)
+  display:var(--b,block)
+  display:var(--b)
+  display:none;display:var(--b)
-  display:var(--a)|html{--a:var(--c)}:root{--c:none}
-  display:var(--a)|:root{--a:block}div{--a:none}
+  display:var(--a)|:root{--a:none}div{--a:block}
+  display:var(--a)|p{--a:none}
-  display:var(--a);--a:none
-  --a:none;display:var(--a)
+  --A:none;display:var(--a)
-  display:var( --a )|*{--a:none}
-  display:var(--a)|:root{--a:none}@media print{:root{--a:block}}
-  display:var(--a)|@media screen{:root{--a:none}}
-  display:var(--a)|:root{--a:none !important}:root{--a:block}
+  display:var(--a)|:root{--a:initial}
+  display:var(--a)|body{--a:none}body{--a:inherit}
-  display:var(--a,var(--b,none))
-  opacity:var(--o)|:root{--o:0}
-  opacity:calc(var(--o) * 2)|:root{--o:0}
+  opacity:calc(var(--o) * 2)|:root{--o:.4}
-  opacity:var(--o)|@property --o{syntax:"<number>";inherits:true;initial-value:0}
-  font-size:calc(var(--s) * 1px)|:root{--s:1}
+  font-size:calc(var(--s) * 1px)|:root{--s:14}
-  font-size:var(--s)|:root{--s:0}
-  color:var(--c)|:root{--c:white}
+  color:var(--c)|:root{--c:#024}
-  color:rgb(var(--r) var(--r) var(--r))|:root{--r:255}
+  color:rgb(var(--r),var(--r),var(--r))|:root{--r:10}
-  color:rgba(var(--rgb),0)|:root{--rgb:1,2,3}
+  color:rgba(var(--rgb),1)|:root{--rgb:1,2,3}
-  color:var(--c);background:var(--c)|:root{--c:#147}
+  color:var(--c);background:var(--d)|:root{--c:#fff;--d:#147}
-  color:var(--c);background:var(--d)|:root{--c:#fff;--d:#fff}
-  background:var(--d) none;color:#147|:root{--d:#147}
-  position:var(--p);left:var(--l)|:root{--p:absolute;--l:-9999px}
+  position:absolute;left:var(--l)|:root{--l:20px}
-  transform:translateX(var(--x))|:root{--x:-9999px}
+  transform:translateX(var(--x,0))
-  clip-path:var(--k)|:root{--k:inset(100%)}
-  visibility:var(--v)|:root{--v:hidden}
-  height:var(--h);overflow:hidden|:root{--h:0}
-  display:VAR(--a)|:root{--a:none}
-  display:env(nothing,none)
-  font:1px/1 a
-  font:2px serif
-  font-size:3px
+  font-size:4px
-  font-size:mod(16px, 16px)
-  font-size:round(down, 1px, 16px)
-  opacity:sin(0)
-  opacity:mod(1, 1)
+  opacity:rem(5, 2)
-  opacity:round(.4, 1)
+  opacity:round(up, .4, 1)
-  opacity:sign(0)
-  opacity:pow(0, 1)
+  opacity:pow(2, 0)
-  opacity:sqrt(0)
-  opacity:hypot(0)
-  opacity:exp(-9)
+  opacity:exp(0)
-  position:absolute;left:calc(-9999px * sign(1))
-  position:absolute;left:calc(pow(10, 4) * -1px)
-  position:absolute;left:calc(-infinity * 1px)
-  position:absolute;left:round(-9999px, 1px)
-  height:calc(1px * pi - 3.1415926px);overflow:hidden
+  height:calc(1px * pi * 10);overflow:hidden
-  position:absolute;left:-100%
-  position:absolute;left:-1000%
+  position:absolute;left:-30px
-  position:absolute;top:-100%
-  position:absolute;top:-50px
+  position:absolute;top:-5px
-  position:absolute;bottom:100%
-  position:absolute;bottom:200vh
+  position:absolute;bottom:50%
-  position:absolute;right:100%
-  position:absolute;right:calc(100% + 1px)
+  position:absolute;right:50%
-  position:absolute;left:-50vw;width:50vw
-  position:absolute;left:-500px;width:400px
-! position:absolute;left:-400px;width:500px
-  position:absolute;left:0;transform:translateX(-100%)
+  position:absolute;left:50%;transform:translateX(-50%)
-  position:absolute;left:0;translate:-100%
-  position:absolute;top:0;transform:translateY(-100%)
+  position:absolute;top:50%;transform:translateY(-50%)
-  position:absolute;top:0;translate:0 -100%
-  position:absolute;top:0;left:0;transform:translate(-100%, -100%)
-  position:fixed;left:-300px;width:300px
-! position:fixed;left:-200px;width:300px
-  position:fixed;top:0;transform:translateY(-101%)
-  position:relative;right:9999px
-  position:relative;bottom:9999px
+  position:relative;right:20px
-  clip-path:inset(49.9%)
-  clip-path:inset(0 0 99.9% 0)
-  clip-path:circle(1px)
-  clip-path:circle(1px at -10px -10px)
-  clip-path:circle(9px at -100px -100px)
+  clip-path:circle(200px at 10px 10px)
-  clip-path:polygon(-10px -10px, -5px -10px, -5px -5px)
-  clip-path:polygon(200% 0, 300% 0, 300% 100%)
-  clip-path:rect(0px 1px 1px 0px)
-  clip-path:xywh(-100px -100px 10px 10px)
-  transform:skew(90deg)
-  transform:skewY(90deg)
-  transform:perspective(1px) translateZ(2px)
-  transform:perspective(1px) translateZ(-100000px)
+  transform:perspective(500px) translateZ(20px)
+  transform:rotateX(180deg)
-  transform:rotateX(180deg);backface-visibility:hidden
-  transform:rotateY(180deg);backface-visibility:hidden
+  transform:rotateY(10deg);backface-visibility:hidden
-  transform:rotateX(180deg);-webkit-backface-visibility:hidden
-  rotate:y 180deg;backface-visibility:hidden
+  backface-visibility:hidden
-  -webkit-text-security:disc
-  -webkit-text-security:square
+  -webkit-text-security:none
-  display:table-column
-  display:table-column-group
+  display:table-row-group
-  height:3px;overflow:hidden
-  height:10px;line-height:900px;overflow:hidden
-  height:1em;line-height:10;overflow:hidden
+  height:60px;line-height:60px;overflow:hidden
-  -webkit-text-stroke:1px #fff;-webkit-text-fill-color:#fff
-  -webkit-text-stroke:2px white;color:white
-  -webkit-text-stroke:1px transparent;color:transparent
+  -webkit-text-stroke:1px red;color:white
-  color:white;text-shadow:0 0 0 white
-  color:#fff;text-shadow:1px 1px white, 2px 2px #fff
+  color:white;text-shadow:0 0 0 white, 1px 1px black
-  color:transparent;text-shadow:0 0 0 transparent
-  color:transparent;text-shadow:9999px 0 black
+  color:transparent;text-shadow:1px 1px #333
-  color:Menu
-  color:InfoBackground
-  offset-path:path('M-9999 0');offset-distance:0
-  filter:invert(1)
-  contain:strict
-  display:grid;grid-template-rows:0;overflow:hidden
-  font-size-adjust:0
-! mask:linear-gradient(black,black) -9999px 0 no-repeat
-  display:if(else:none)
-  margin-left:-100%
-  float:right;margin-right:-9999px
-  margin-left:-200%
-  margin:0 0 0 -100%
-  margin-inline-start:-100%
-  margin-left:-100vw
-  margin-left:-101%;width:100%
-  margin-left:9999px
-  margin-left:100vw
-! padding-left:9999px
-! padding-left:100%;overflow:hidden
-! padding-left:9999px;overflow:hidden
-  filter:brightness(0);background:#fff
-  filter:brightness(0);background:#eee;color:#333
-  color:#222;filter:brightness(20)
-  filter:invert(100%)
-  filter:invert()
+  filter:invert(1);color:white
+  filter:invert(1);background:#fff
+  filter:invert(.5)
-  filter:invert(.5);background:#fff
+  filter:saturate(0)
+  filter:contrast(0)
-  filter:blur(99px)
+  filter:url(#none)
-  filter:grayscale(1) invert(1)
-  opacity:.06
+  mix-blend-mode:color-dodge
+  mix-blend-mode:soft-light
+  mix-blend-mode:hue
+  mix-blend-mode:luminosity
+  mix-blend-mode:screen;background:#fff
-  mask-image:linear-gradient(#000,#000);mask-position:9999px 0;mask-repeat:no-repeat
-  -webkit-mask-image:linear-gradient(#000,#000);-webkit-mask-position:-9999px 0;-webkit-mask-repeat:no-repeat
-  mask:linear-gradient(#000,#000) 0/0
-  mask:linear-gradient(#000 0 0) 0 0/0 0 no-repeat
-! mask:url(#none)
-! mask:url(nothing.png)
-! mask-image:url(nothing.png)
-! mask-image:linear-gradient(#000,transparent 0)
-  mask-image:linear-gradient(rgb(0 0 0 / 2%),rgb(0 0 0 / 2%))
-! mask:linear-gradient(#000,#000);mask-mode:luminance
-  mask:linear-gradient(#000 0 0),linear-gradient(#000 0 0);mask-composite:exclude
-  mask:linear-gradient(#000 0 0),linear-gradient(#000 0 0);mask-composite:subtract
-! -webkit-mask-box-image:linear-gradient(transparent,transparent)
-  clip-path:path("M0 0H50")
-  clip-path:path("M5 5L5 50Z")
-  clip-path:path("M900 900H999V999Z")
-  clip-path:path("M-90 -90H-9V-9Z")
-! clip-path:path(evenodd,"M0 0H900V900H0Z M0 0H900V900H0Z")
-  clip-path:shape(from 0 0, line to 0 0)
-  clip-path:shape(from 0 0, hline to 100%, close)
-  clip-path:inset(0 100vw 0 0)
-  clip-path:ellipse(0 0)
-  offset:path('M-9999 0')
-  transform:scaleY(.01)
-  transform:scale(calc(1 - 1))
-  transform:translate(200vw)
-  transform:translateX(-100%)
+  transform:translateY(-100%)
-  transform:translateX(100vw)
-  transform:translateX(9999px)
-  translate:100vw
-  translate:9999px
+  scale:none none
-  font-size:calc(0px + 0em)
-  font-size:0cap
-  font-size:0ic
-  font-size:.1dvh
-  font-size:.1cqi
-  font-size:.1cqh
-  font-size:-0
-  font-size:env(safe-area-inset-top)
-  font-size:max(0px, env(safe-area-inset-top))
-  font-size:env(nothing, 0)
-  font-size:calc(0 * 1rem)
-  font-size:calc(sibling-index() * 1px)
-  font-size:calc((sibling-index() - 1) * 20px)
-  font-size:calc(progress(0,0,1) * 1px)
+  font:1px
+  font-size:0;font:inherit
+  font-size:0;font:12px serif
+  font-size:0;font-size:revert
+  font-size:0;font-size:revert-layer
-  font-size-adjust:.001
+  text-size-adjust:0
-  text-indent:-100vw;white-space:nowrap
-  text-indent:9999px;overflow:clip
+  text-indent:hanging -9999px
+  word-spacing:9999px
-  width:0%;overflow:hidden
-  width:calc(0%);overflow:hidden
-  max-width:0%;overflow:hidden
-  width:min(0px,100%);overflow:hidden
-  width:calc(100% - 100%);overflow:hidden
-  width:0vw;overflow:hidden
+  width:0;min-width:100%;overflow:hidden
-  position:absolute;height:0%;overflow:hidden
-  position:fixed;max-height:0%;overflow:hidden
-  height:0vh;overflow:hidden
-  height:0cqh;overflow:hidden
-  height:env(safe-area-inset-bottom);overflow:hidden
-  height:env(x,0);overflow:hidden
-! height:calc-size(auto,0px);overflow:hidden
-! height:calc-size(auto,size * 0);overflow:hidden
+  height:min(0px,100%);overflow:hidden
+! height:0;overflow:clip;overflow-clip-margin:99px
+  height:0;overflow:hidden;overflow:visible
+  height:0;overflow:clip visible
-  height:0;overflow:overlay
-  height:0;overflow:hidden auto
+  height:0;overflow:hidden;min-height:min-content
+  height:0;overflow:hidden;min-height:fit-content
-! aspect-ratio:999/1;overflow:hidden
-! aspect-ratio:9999/1;overflow:hidden;min-height:0
-  contain:size;overflow:hidden
-  contain:size layout paint
-  contain:strict;position:absolute
-  container-type:size;overflow:hidden
+  container-type:size
-  container:n/size;overflow:clip
-  display:grid;grid-template:0/1fr;overflow:hidden
-  display:grid;grid:0/0;overflow:hidden
-  display:grid;grid-auto-rows:0;overflow:hidden
-  display:inline-grid;grid-template-rows:0;overflow:hidden
+  columns:20;overflow:hidden
-  position:absolute;left:100vw
-  position:absolute;left:9999px
-  position:fixed;top:100%
-  position:fixed;bottom:100%
-  position:fixed;bottom:-100px
-  position:fixed;bottom:-50px
-  position:fixed;right:-300px;width:300px
-  position:fixed;right:-300px
-  position:fixed;right:-100%
-  position:fixed;left:-300px
-  position:fixed;bottom:0;translate:0 100%
-  position:fixed;bottom:0;transform:translateY(100%)
-  position:fixed;right:0;transform:translateX(100%)
-  position:fixed;right:0;translate:100%
-  position:fixed;left:calc(100% + 9px)
-  position:fixed;left:0;margin-left:-300px;width:200px
-  position:absolute;left:0;margin-left:-300px;width:200px
-  position:absolute;left:0;margin-left:-100%
+  position:absolute;clip-path:inset(0 0 0 0)
-  position:absolute;left:-50%;width:50%
+  position:absolute;z-index:-1
+  position:absolute;top:0;left:0;z-index:-1
-  position:relative;left:-100%
-! position:relative;left:-50%
-  position:relative;inset:-9999px
-! position:relative;top:-90px
-! position:relative;top:-9em
-  position:relative;left:-300px;width:250px
-  animation:go 1s forwards reverse|@keyframes go{from{opacity:0}}
+  animation:go 1s forwards reverse|@keyframes go{to{opacity:0}}
-  animation:go 1s reverse both|@keyframes go{0%{display:none}}
-  animation:go 1s alternate 2 forwards|@keyframes go{from{opacity:0}}
+  animation:go 1s 2 alternate forwards|@keyframes go{to{opacity:0}}
+  animation:go 1s 1.5 forwards linear|@keyframes go{to{opacity:0}}
-  animation:go 1s forwards 0|@keyframes go{from{opacity:0}}
-  animation:go 1s 0 both|@keyframes go{from{opacity:0}}
+  animation:go 1s forwards|@keyframes go{to{opacity:0!important}}
-  animation:"go" 1s forwards|@keyframes go{to{opacity:0}}
-  animation:go 1s forwards|@keyframes "go"{to{opacity:0}}
-  animation:go 1s forwards|@keyframes go{to{transform:scale(0)}}
-  animation:go 1s forwards|@keyframes go{to{font-size:0}}
-  animation:go 1s forwards|@keyframes go{to{color:white}}
-  animation:go 1s forwards|@keyframes go{to{height:0;overflow:hidden}}
+  animation:go 1s forwards|@media print{@keyframes go{to{opacity:0}}}
-  animation:var(--a)|:root{--a:go 1s forwards}@keyframes go{to{opacity:0}}
-  animation-name:var(--a);animation-duration:1s;animation-fill-mode:both|:root{--a:go}@keyframes go{to{opacity:0}}
+  animation-fill-mode:both;animation:go 1s|@keyframes go{to{opacity:0}}
-  transition:opacity 1s;opacity:0
-  color:oklch(from white l c h)
-  color:hsl(from white h s l)
-  color:hwb(from white h w b)
-  color:lch(from white l c h)
-  color:lab(from white l a b)
-  color:oklab(from white l a b)
-  color:color(from white srgb r g b)
-  color:color-mix(in oklab, canvas, white)
-  color:color-mix(in srgb, color-mix(in srgb, white, white), white)
-  color:rgb(from rgb(255 255 255) r g b)
-  color:rgb(from #000 calc(r + 255) calc(g + 255) calc(b + 255))
-  color:rgb(calc(255) 255 255)
-  color:rgb(from white calc(r*1) g b)
-  color:rgb(from currentcolor r g b / 0)
-  color:contrast-color(black)
-  color:contrast-color(#111)
+  color:color(--mine 1 1 1)
-  color:color(srgb 9 9 9)
-  color:rgba(255 255 255)
-  color:color-mix(in hsl, white, white)
-  color:color-mix(in hsl longer hue, white, white)
-  color:color-mix(in srgb, currentcolor, white 98%)
-  color:color-mix(in srgb, currentcolor 2%, white)
-  color:color-mix(in srgb, black 1%, white 1%)
-  color:color-mix(in srgb, rgb(255 255 255), hsl(0 0% 100%))
-  color:color-mix(in lch, oklch(1 0 0), white)
-! color:color-mix(white, white)
-  color:ButtonFace
+  color:Mark
-  color:HighlightText
+  color:ThreeDHighlight
-  color:ThreeDFace
+  color:GrayText
-  color:ButtonHighlight
-  color:ActiveCaption
-  color:AccentColorText
-  color:SelectedItemText
-  color:AppWorkspace
+  color:-webkit-link
+  color:-webkit-text
-  color:ivory
-  color:floralwhite
-  color:#f4f4f4
-  color:#f0f0f0
-  color:#eeeeee
-  color:#ececec
-  color:#e8e8e8
-  color:lavenderblush
-  color:honeydew
+  color:#ffff99
-  color:#0001
-  color:#00000010
-! color:#00000018
-  color:rgb(0 0 0 / 8%)
-  color:rgb(0 0 0 / 6%)
-  color:#111;background:#000
-  color:#000;background:#111
-  color:#222;background:#333
+  color:#00f;background:#000080
-  color:white;color-scheme:dark
-  color:black;box-shadow:inset 0 0 0 99px #000
+  color:white;box-shadow:inset 0 0 0 99px #000
-  color:#c00;box-shadow:inset 0 0 0 9999px #c00
-! border-image:linear-gradient(#000,#000) fill 0
-  background:linear-gradient(#000,#000);background-size:0 0;color:#fff
-! background:linear-gradient(#000,#000);background-size:1px 1px;background-repeat:no-repeat;color:#fff
-! background:linear-gradient(#000,#000);background-position:-9999px 0;background-repeat:no-repeat;color:#fff
-! background:linear-gradient(#000,#000) no-repeat 9999px 0;color:#fff
-  background-color:#000;background-image:linear-gradient(#fff,#fff);color:white
-  background-image:linear-gradient(transparent,transparent),linear-gradient(#000,#000);color:#000
-  background-color:currentcolor
-! background-color:currentColor;color:#246
-  background:currentcolor
-  text-decoration:line-through #000 2em
-  text-decoration:line-through #fff 2em
-  text-decoration:line-through white 30px
-! text-decoration:line-through;text-decoration-color:#fff;text-decoration-thickness:2em
+  text-decoration:underline #000 30px;text-underline-offset:-22px
-! text-decoration:underline 30px;text-underline-offset:-22px;text-decoration-skip-ink:none
+  text-decoration:underline
-! outline:99px solid #fff;outline-offset:-50px
+  outline:1px solid black;outline-offset:-1px
+  outline:9px solid black
-  -webkit-text-stroke:20px white
-  -webkit-text-stroke:20px white;color:black
-  -webkit-text-stroke:9px #fff
-  -webkit-text-stroke:3px #fff
-  text-shadow:0 0 99px black;color:transparent
-  text-shadow:0 0 20px black;color:transparent
+  color:transparent;-webkit-text-fill-color:#000
-  -webkit-text-fill-color:initial;color:white
+  direction:rtl
-  writing-mode:vertical-rl;height:0;overflow:hidden
-  display:NONE
+  display:flow-root list-item
+  display:-webkit-none
+  visibility:hidden;visibility:initial
+  visibility:hidden;visibility:unset
+  display:none;all:initial
-  display:if(style(--a:1):none;else:block);--a:1
-  display:if(media(width > 1px):none)
-  display:if(supports(display:grid):none)
+  display:if(style(--a):none;else:block)
+  display:none;display:if(style(--a:1):block)
-  opacity:if(else:0)
-  opacity:if(media(print):1;else:0)
-  color:if(else:white)
-  color:if(media(print):black;else:#fff)
-  color:if(media(screen):black;else:#fff)
-  font-size:if(style(--a:1):0;else:16px);--a:1
-  --b:if(else:none);display:var(--b)
-  opacity:calc(if(else:0) * 1)
-  opacity:progress(0,0,1)
-  opacity:calc(sibling-index() - 1)
-  opacity:calc(1 - sibling-index())
-  opacity:calc(-infinity)
-  opacity:cos(90deg)
+  opacity:sin(90deg)
-  opacity:sin(0deg)
-  opacity:sin(pi)
-  opacity:log(1)
-  opacity:log(1, 2)
-  opacity:round(nearest, .2, .5)
+  opacity:0.
+  opacity:0px
+  opacity:env(safe-area-inset-top, 0)
-  display:--f()|@function --f(){result:none}
-  opacity:--g(1)|@function --g(--x){result:calc(var(--x) - 1)}
-  color:--w()|@function --w(){result:white}
-  opacity:var(--o)|@property --o{syntax:"<number>";inherits:true;initial-value:0}:root{--o:abc}
+  --d:none;display:var(--D)
-  --é:none;display:var(--é)
-  display:var(--a)|@property --a{syntax:"*";inherits:false;initial-value:none}
+  display:none!ie
+  a{b:c}display:none
+  x:(;display:none)
+  x:{;display:none;}
+  background:url(x;display:none
-  background:url(x);display:none
-  display :none
-  all:initial;color:white
+  display:contents;height:0;overflow:hidden
-  display:contents;font-size:0
+  display:table-cell;height:0;overflow:hidden
+  display:table-row;height:0;overflow:hidden
+  display:table;height:0;overflow:hidden
+  display:table-cell;width:0;overflow:hidden
+  display:table;width:0;overflow:hidden
-  display:list-item;height:0;overflow:hidden
-  display:inline-block;height:0;overflow:hidden
-  display:inline;opacity:0
-  display:inline;filter:opacity(0)
-  display:inline;position:absolute;clip:rect(0 0 0 0)
+  max-lines:0
-  -webkit-filter:invert(1)
+  -ms-transform:scale(0)
+  -khtml-opacity:0
-! -webkit-text-stroke-color:white;-webkit-text-stroke-width:20px
+  text-transform:uppercase
-  overflow:hidden;max-height:2px
+  position:static;clip:rect(0,0,0,0)
-  position:fixed;clip:rect(0,0,0,0)
-  padding-top:60px;height:30px;overflow:hidden;box-sizing:border-box
-  padding-top:60px;max-height:30px;overflow:hidden;box-sizing:border-box
-  filter:blur(1em)
-  filter:blur(10px)
-  filter:blur(5px)
-  clip-path:inset(30px)
-  clip-path:circle(9px at 200% 200%)
-  clip-path:ellipse(9px 9px at 300% 50%)
-  clip-path:polygon(0 0, 1px 0, 1px 1px, 0 1px)
-  transform:translateX(-200%)
-  translate:-100%
+  font-size:0.1ex
+  font-size:0.1ch
+  font-size:0.1lh
+  font-size:0.1rlh
+  font-size:.1rcap
+  font-size:progress(0,0,1)
-  position:fixed;top:0;margin-top:-60px
-  position:absolute;top:0;margin-top:-60px
-  position:absolute;left:anchor(--x left, -9999px)
-  position:absolute;top:anchor(--x top, -9999px)
-  position:absolute;width:anchor-size(--x width, 0px);overflow:hidden
-  float:left;margin-left:-100%
-  float:left;width:100%;margin-left:-100%
-  float:left;margin-left:-300px
-  float:left;margin-left:-300px;width:250px
-  margin-left:-300px;width:250px
-  opacity:calc(NaN)
-  --o:;display:var(--o) none
-  --o: ;display:var(--o,) none
+  display:var(--a)|@property --a{syntax:"*";inherits:false}:root{--a:none}
+  display:contents;clip-path:inset(100%)
-  display:table;table-layout:fixed;width:0;overflow:hidden
-  position:absolute;clip:rect(-99px,-50px,-20px,-90px)
-  position:absolute;clip:rect(900px,999px,999px,900px)
-  position:absolute;clip:rect(50px auto auto auto)
-  display:none;color:red;font-size:20px
-  visibility:hidden;font-weight:bold
-  opacity:0;pointer-events:none;user-select:none
-  position:absolute;left:-5000px;top:auto;width:1px;height:1px;overflow:hidden
-  position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0
-  position:fixed;top:-2000px;left:0
-  position:absolute;top:-1500px
-  font-size:1px;line-height:1px;color:#fdfdfd
-  font-size:0.01px
-  color:rgba(255,255,255,0.01)
-  color:#fefefe;background-color:#ffffff
-  color:hsl(0 0% 99%)
-  color:lab(100 0 0)
-  background:#222;color:#222
-  background:#222;color:#2a2a2a
-  background:navy;color:#000084
-  max-height:0;overflow:hidden
-  max-width:0;overflow:hidden;white-space:nowrap
-  width:0;height:0;overflow:hidden;display:block
-  height:1px;overflow:hidden
-  line-height:0;font-size:0;overflow:hidden
-  transform:scale(0)
-  transform:scale(0.001)
-  transform:scaleY(0)
-  transform:translateX(-9999px)
-  transform:translate3d(-200vw,0,0)
-  transform:rotateY(90deg)
-  transform:rotateX(90deg) scale(1)
-  transform:matrix(0,0,0,0,0,0)
-  transform:perspective(500px) rotateY(90deg)
-  scale:0
-  translate:-200vw
-  translate:-2000px 0
-  clip-path:circle(0)
-  clip-path:inset(50%)
-  clip-path:polygon(0 0,0 0,0 0)
-  clip-path:inset(0 0 100% 0 round 5px)
-  clip-path:path("M0,0 L0,0 L0,0 Z")
-  clip-path:polygon(-10px -10px,-5px -10px,-5px -5px)
-  text-indent:-9999px;overflow:hidden;white-space:nowrap
-  text-indent:-200vw
-  text-indent:200%;white-space:nowrap;overflow:hidden
-  text-indent:101%;overflow:hidden;white-space:nowrap
-  letter-spacing:-1em;font-size:1px
+  word-spacing:-99px
-  filter:opacity(0)
-  filter:blur(40px)
+  filter:grayscale(1) brightness(100)
+  mix-blend-mode:lighten;color:#000;background:#fff
-  -webkit-mask-image:linear-gradient(transparent 0 0)
-  mask-image:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))
-  mask-size:0 0;mask-image:linear-gradient(#000,#000);mask-repeat:no-repeat
-  content-visibility:hidden;height:50px
-  writing-mode:vertical-lr;height:0;overflow:hidden
-  columns:2;height:0;overflow:hidden
-  position:relative;left:-2000px
-  position:relative;left:-200%
-  position:relative;right:2000px
-  margin-left:-2000px
-  margin:-2000px 0 0 -2000px
-  margin-inline-start:-200vw
-  float:left;width:0;height:0;overflow:hidden
-  float:right;margin-right:-2000px
-  display:inline-block;height:0;overflow:clip
-  display:none!important;display:block
-  -webkit-text-fill-color:#fff
-  text-shadow:0 0 0 #fff;color:#fff
-  backface-visibility:hidden;rotate:y 180deg
-  offset-path:path("M-5000,-5000 L-5001,-5001")
-  inset:auto auto auto -3000px;position:absolute
-  position:absolute;inset-inline-start:-3000px
-  position:absolute;bottom:200vh;top:auto
-  position:absolute;right:calc(100% + 10px)
-  position:absolute;left:calc(-1 * 100vw)
-  position:fixed;left:100vw
-  position:fixed;top:100vh
-  position:fixed;bottom:-50px;height:20px
-  position:fixed;right:-400px;width:300px
-  position:fixed;inset:auto 0 100% 0
-  position:sticky;left:-2000px;margin-left:-2000px
-  font-size:min(0px,1em)
-  font-size:calc(1em - 16px)
-  font-size:clamp(0px,0vw,0px)
-  font-size:0rem
-  color:color-mix(in srgb,white 99%,black)
-  color:light-dark(white,black)
-  opacity:.01
-  opacity:calc(0.5 - 0.5)
-  opacity:min(0,1)
-  overflow:hidden;height:3px
-  overflow:hidden;max-height:2px;padding:0
-  height:0;overflow:hidden;padding-top:20px
-  overflow:hidden;height:10px;line-height:100px
-  overflow:hidden;height:20px;padding-top:100px;box-sizing:border-box
-  display:-webkit-box;-webkit-line-clamp:0;overflow:hidden;height:0
-  display:block;block-size:0;overflow:hidden
-  inline-size:0;overflow:hidden;white-space:nowrap
-  animation:h 1ms forwards|@keyframes h{to{visibility:hidden}}
-  animation:h 0s both|@keyframes h{from,to{font-size:0}}
-  transition:none;opacity:var(--z,0)
-  --v:none;display:var(--v)
-  display:var(--undefined,none)
-  color:var(--bg);--bg:white
-  font-size:calc(var(--k) * 1px);--k:0
+  color:#767676
+  font-size:9px
+  opacity:.5
+  position:relative;left:20px
+  margin-left:-5px
+  overflow:hidden;height:40px
+  text-indent:2em
+  filter:none
-  text-indent:9999px
-  text-indent:100vw
""".strip("\n").split("\n")

# Rules, and what they speak of; "||" between them.
PAGES = """
-  .o{.x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{& .x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{&.x{display:none}}||<div class="o x">W</div>
+  .o{&.x{display:none}}||<div class=o><p class=x>W</p></div>
-  .o{>.x{display:none}}||<div class=o><p class=x>W</p></div>
+  .o{>.x{display:none}}||<div class=o><div><p class=x>W</p></div></div>
-  .o{+.x{display:none}}||<div class=o>a</div><p class=x>W</p>
-  .o,.q{.x{display:none}}||<div class=q><p class=x>W</p></div>
-  .o{.p{.x{display:none}}}||<div class=o><div class=p><p class=x>W</p></div></div>
-  .o{color:red;.x{display:none}color:blue}||<div class=o><p class=x>W</p></div>
-  .o{.x{color:red}display:none}||<div class=o>W</div>
-  .o{color:red;{}display:none}||<div class=o>W</div>
-  .x{.o &{display:none}}||<div class=o><p class=x>W</p></div>
-  .x{@media screen{display:none}}||<p class=x>W</p>
+  .x{@media print{display:none}}||<p class=x>W</p>
-  .x{@media screen{&{display:none}}}||<p class=x>W</p>
-  .o{@media (min-width:10px){.x{display:none}}}||<div class=o><p class=x>W</p></div>
-  .o{@supports (display:grid){.x{display:none}}}||<div class=o><p class=x>W</p></div>
+  .x{display:none}.o{.x{display:block}}||<div class=o><p class=x>W</p></div>
-  .o{p{display:none}}||<div class=o><p>W</p></div>
+  .o{:hover{display:none}}||<div class=o><p>W</p></div>
+  .o{&:hover{display:none}}||<div class=o>W</div>
+  .o{&::before{display:none}}||<div class=o>W</div>
-  .o{&:not(.z){display:none}}||<div class=o>W</div>
-  .c{container-type:inline-size}@container (min-width:1px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container-type:inline-size}@container (min-width:9000px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container-type:inline-size}.x{display:none}@container (min-width:1px){.x{display:block}}||<div class=c><p class=x>W</p></div>
-  .c{container:n/inline-size}@container n (width>10px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  .c{container:n/inline-size}@container n not (width>10px){.x{display:none}}||<div class=c><p class=x>W</p></div>
+  @container (min-width:1px){.x{display:none}}||<p class=x>W</p>
-  .c{--t:1}@container style(--t:1){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  @layer a,b;@layer b{.x{display:none}}@layer a{.x{display:block}}||<p class=x>W</p>
+  @layer a,b;@layer a{.x{display:none}}@layer b{.x{display:block}}||<p class=x>W</p>
+  @layer a{.x{display:none}}.x{display:block}||<p class=x>W</p>
-  @layer a{#i{display:block}}.x{display:none}||<p class=x id=i>W</p>
-  .x{display:none}@layer a{#i{display:block}}||<p class=x id=i>W</p>
-  @layer a{.x{display:none!important}}.x{display:block!important}||<p class=x>W</p>
+  @layer a{.x{display:block!important}}.x{display:none!important}||<p class=x>W</p>
-  @layer a{.x{display:none}}||<p class=x>W</p>
+  @layer a{@layer b{.x{display:none}}.x{display:block}}||<p class=x>W</p>
-  @layer a{@layer b{#i{display:block}}.x{display:none}}||<p class=x id=i>W</p>
+  @layer a.b{.x{display:none}}@layer a.c{.x{display:block}}||<p class=x>W</p>
-  @layer{.x{display:block}}@layer{.x{display:none}}||<p class=x>W</p>
-  @layer a{.x{display:block}}||<p class=x style="display:none">W</p>
-  @supports (display:grid){.x{display:none}}||<p class=x>W</p>
+  @supports (display:flurb){.x{display:none}}||<p class=x>W</p>
-  @supports not (display:flurb){.x{display:none}}||<p class=x>W</p>
+  @supports not (display:grid){.x{display:none}}||<p class=x>W</p>
+  @supports (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports not (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports (display:grid) and (not (foo:bar)){.x{display:none}}||<p class=x>W</p>
+  @supports (display:grid) and (foo:bar){.x{display:none}}||<p class=x>W</p>
-  @supports (foo:bar) or (color:red){.x{display:none}}||<p class=x>W</p>
-  @supports ((foo:bar) or (color:red)) and (opacity:1){.x{display:none}}||<p class=x>W</p>
-  @supports selector(a>b){.x{display:none}}||<p class=x>W</p>
+  @supports selector(:foo-bar){.x{display:none}}||<p class=x>W</p>
-  @supports (--a:b){.x{display:none}}||<p class=x>W</p>
+  @supports (-moz-appearance:none){.x{display:none}}||<p class=x>W</p>
-  @supports (-webkit-appearance:none){.x{display:none}}||<p class=x>W</p>
-  @supports (backdrop-filter:blur(1px)){.x{display:none}}||<p class=x>W</p>
-  @media all{.x{display:none}}||<p class=x>W</p>
+  @media not all{.x{display:none}}||<p class=x>W</p>
-  @media (100px<=width<=3000px){.x{display:none}}||<p class=x>W</p>
+  @media (3000px<width<4000px){.x{display:none}}||<p class=x>W</p>
-  @media (100px<width){.x{display:none}}||<p class=x>W</p>
-  @media (not (width:9px)){.x{display:none}}||<p class=x>W</p>
-  @media not (min-width:9000px){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:9000px) or (min-width:10px){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:9000px),screen{.x{display:none}}||<p class=x>W</p>
-  @media ((min-width:10px) and (max-width:9000px)){.x{display:none}}||<p class=x>W</p>
-  @media (min-width:calc(10px + 1em)){.x{display:none}}||<p class=x>W</p>
-  @media (min-resolution:.5dppx){.x{display:none}}||<p class=x>W</p>
+  @media (max-resolution:.5dppx){.x{display:none}}||<p class=x>W</p>
-  @media (min-aspect-ratio:1/100){.x{display:none}}||<p class=x>W</p>
+  @media (min-aspect-ratio:100/1){.x{display:none}}||<p class=x>W</p>
-  @media (scripting:enabled){.x{display:none}}||<p class=x>W</p>
+  @media (scripting:none){.x{display:none}}||<p class=x>W</p>
-  @media (display-mode:browser){.x{display:none}}||<p class=x>W</p>
+  @media (display-mode:standalone){.x{display:none}}||<p class=x>W</p>
-  @media (update:fast){.x{display:none}}||<p class=x>W</p>
-  @media (overflow-block:scroll){.x{display:none}}||<p class=x>W</p>
-  @media (min-color:1){.x{display:none}}||<p class=x>W</p>
+  @media (monochrome){.x{display:none}}||<p class=x>W</p>
-  @media (grid:0){.x{display:none}}||<p class=x>W</p>
-  @media (forced-colors:none){.x{display:none}}||<p class=x>W</p>
+  @media (prefers-contrast:more){.x{display:none}}||<p class=x>W</p>
+  @media (prefers-color-scheme:dark){.x{display:none}}||<p class=x>W</p>
+  @media (foo:bar){.x{display:none}}||<p class=x>W</p>
+  @media not (foo:bar){.x{display:none}}||<p class=x>W</p>
+  @media tv{.x{display:none}}||<p class=x>W</p>
-  @media only screen and (orientation:landscape),only screen and (orientation:portrait){.x{display:none}}||<p class=x>W</p>
-  @scope (.o){.x{display:none}}||<div class=o><p class=x>W</p></div>
+  @scope (.o){.x{display:none}}||<p class=x>W</p>
+  @scope (.o) to (.l){.x{display:none}}||<div class=o><div class=l><p class=x>W</p></div></div>
-  @scope (.o){:scope{display:none}}||<div class=o>W</div>
-! @starting-style{.x{display:none}}||<p class=x>W</p>
-  @font-face{font-family:y}.x{display:none}||<p class=x>W</p>
-  @page{margin:0}.x{display:none}||<p class=x>W</p>
+  @unknown{.x{display:none}}||<p class=x>W</p>
-  @namespace svg url(http://www.w3.org/2000/svg);.x{display:none}||<p class=x>W</p>
-  @import url("data:text/css,.x{display:none}");||<p class=x>W</p>
-  @import url("data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ==");||<p class=x>W</p>
-  ||<link rel=stylesheet href="data:text/css,.x%7Bdisplay:none%7D"><p class=x>W</p>
+  ||<link rel=stylesheet media=print href="data:text/css,.x%7Bdisplay:none%7D"><p class=x>W</p>
-  <!-- .x{display:none} -->||<p class=x>W</p>
-  .x{display:none||<p class=x>W</p>
+  .y{color:red}}.x{display:none}||<p class=x>W</p>
+  .x,.y:is{display:none}||<p class=x>W</p>
+  .x,:foo{display:none}||<p class=x>W</p>
+  .x,p::foo{display:none}||<p class=x>W</p>
+  .x,{display:none}||<p class=x>W</p>
+  .x,:-moz-any(.y){display:none}||<p class=x>W</p>
+  .x,p:not(.y,:foo){display:none}||<p class=x>W</p>
+  .x,.y%{display:none}||<p class=x>W</p>
+  .o,:foo{.x{display:none}}||<div class=o><p class=x>W</p></div>
+  .x,:foo{--a:none}.x{display:var(--a)}||<p class=x>W</p>
+  .x{display:none}.x,:foo{display:block}.y,.x{display:block}||<p class=x>W</p>
-  .x{display:none}.x,:foo{display:block}||<p class=x>W</p>
-  .x,::-webkit-foo{display:none}||<p class=x>W</p>
-  .x,:where(:foo){display:none}||<p class=x>W</p>
-  .x,a:not(:hover):NTH-child(2n + 1)::before{display:none}||<p class=x>W</p>
-  .x,a[b=':foo,]']{display:none}||<p class=x>W</p>
-  .y{color:red}}.x{display:none}.x{display:none}||<p class=x>W</p>
+  \\.x{display:none}||<p class=x>W</p>
-  .\\78{display:none}||<p class=x>W</p>
-  .x/**/{display:none}||<p class=x>W</p>
-  p/**/.x{display:none}||<p class=x>W</p>
-  p/* */ /* */.x{display:none}||<p><b class=x>W</b></p>
-  :is(.x,.y){display:none}||<p class=x>W</p>
-  :where(.x){display:none}||<p class=x>W</p>
+  :where(.x){display:none}p{display:block}||<p class=x>W</p>
-  p:is(.x){display:none}||<p class=x>W</p>
+  p:is(.y){display:none}||<p class=x>W</p>
-  :is(.o,.q) .x{display:none}||<div class=q><p class=x>W</p></div>
-  :is(.o .q) .x{display:none}||<div class=o><div class=q><p class=x>W</p></div></div>
-  :is(.x,:foo){display:none}||<p class=x>W</p>
-  :-webkit-any(.x){display:none}||<p class=x>W</p>
-  p:not(.a,.b){display:none}||<p class=x>W</p>
-  p:not(.o p){display:none}||<p class=x>W</p>
+  p:not(.o p){display:none}||<div class=o><p class=x>W</p></div>
-  p:not(.a.b){display:none}||<p class=x>W</p>
-  p:not(:hover){display:none}||<p class=x>W</p>
-  p:not(:focus-within){display:none}||<p class=x>W</p>
-  p:not(:is(.y)){display:none}||<p class=x>W</p>
-  p:not(:not(.x)){display:none}||<p class=x>W</p>
-  .o:not(:hover) .x{display:none}||<div class=o><p class=x>W</p></div>
-  p:has(b){display:none}||<p>W<b>a</b></p>
+  p:has(b){display:none}||<p>W<i>a</i></p>
-  p:has(>b){display:none}||<p>W<b>a</b></p>
-  p:not(:has(b)){display:none}||<p>W</p>
-  .o:has(i) .x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
+  .o:has(b) .x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
-  .o:has(i)>.p:not(.q .p) .x{display:none}||<div class=o><i>a</i><div class=p><p class=x>W</p></div></div>
+  .o:has(i)>.x{display:none}||<div class=o><i>a</i><div class=p><p class=x>W</p></div></div>
-  .o:has(i)>.x:has(b){display:none}||<div class=o><i>a</i><p class=x>W<b>b</b></p></div>
-  p:nth-child(n){display:none}||<p>W</p>
-  p:nth-child(1 of .x){display:none}||<div><p>a</p><p class=x>W</p></div>
-  p:nth-last-child(1){display:none}||<div><p>a</p><p class=x>W</p></div>
-  p:only-child{display:none}||<div><p>W</p></div>
-  [class=x]{display:none}||<p class=x>W</p>
-  [CLASS=x]{display:none}||<p class=x>W</p>
-  [class=X i]{display:none}||<p class=x>W</p>
-  [class|=x]{display:none}||<p class=x-1>W</p>
-  [class^=x][class$=z]{display:none}||<p class=xyz>W</p>
-  [data-a="b c"]{display:none}||<p data-a="b c">W</p>
-  [data-a]{display:none}||<p data-a>W</p>
-  *{--a:b}*.x{display:none}||<p class=x>W</p>
+  .x:root{display:none}||<p class=x>W</p>
-  :root .x{display:none}||<p class=x>W</p>
-  html body p.x{display:none}||<p class=x>W</p>
-  :scope .x{display:none}||<p class=x>W</p>
-  p:defined{display:none}||<p>W</p>
-! x-y:not(:defined){display:none}||<x-y>W</x-y>
+  p:empty{display:none}||<p>W</p>
-  a:any-link{display:none}||<a href="/">W</a>
-  p:lang(en){display:none}||<p lang=en>W</p>
+  p:lang("en"){display:none}||<p lang=en-GB>W</p>
-  p:dir(ltr){display:none}||<p>W</p>
-  details:open{display:none}||<details open><summary>W</summary></details>
-  p::first-line{color:white}||<p>W</p>
+  p::first-letter{opacity:0}||<p>W</p>
-  .o>:first-child~.x{display:none}||<div class=o><i>a</i><p class=x>W</p></div>
+  .X{display:none}||<p class=x>W</p>
-  P{display:none}||<p>W</p>
-  .x{display:none!important}||<p class=x style="display:block">W</p>
+  .x{display:none}||<p class=x style="display:block">W</p>
-  #i{display:block}p#i.x{display:none}||<p class=x id=i>W</p>
-  p{color:white}||<p>W</p>
-  .o{color:white}||<div class=o><p>W</p></div>
+  .o{color:white}p{color:#000}||<div class=o><p>W</p></div>
+  .o{color:white}.q{background:#000}||<div class=q><div class=o><p>W</p></div></div>
-  .o{color:white;background:#000}p{background:#fff}||<div class=o><p>W</p></div>
-  .o{-webkit-text-fill-color:white}p{color:#000}||<div class=o><p>W</p></div>
+  .o{-webkit-text-fill-color:white}p{-webkit-text-fill-color:#000}||<div class=o><p>W</p></div>
-  .o{background:rgb(0 0 0/50%)}.x{color:#7f7f7f}||<div class=o><p class=x>W</p></div>
-  .o{opacity:.2}||<div class=o><div class=o><p>W</p></div></div>
+  .o{opacity:.8}||<div class=o><div class=o><p>W</p></div></div>
+  .o{font-size:.3em}||<div class=o><div class=o><div class=o><div class=o>W</div></div></div></div>
+  .o{font-size:0}p{font-size:14px}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:1rem}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:medium}||<div class=o><p>W</p></div>
-  .o{font-size:0}p{font-size:1.2em}||<div class=o><p>W</p></div>
+  .o{font-size:0}p{font-size:initial}||<div class=o><p>W</p></div>
-  .o{zoom:.2}||<div class=o><div class=o>W</div></div>
+  .o{visibility:hidden}p{visibility:visible}||<div class=o><p>W</p></div>
+  .o{visibility:hidden}p{visibility:initial}||<div class=o><p>W</p></div>
-  .o{visibility:hidden}p{visibility:inherit}||<div class=o><p>W</p></div>
-  .o{visibility:hidden}p{visibility:unset}||<div class=o><p>W</p></div>
+  .o{visibility:hidden}p{all:initial;display:block}||<div class=o><p>W</p></div>
+  html{color-scheme:dark}p{color:white}||<p>W</p>
-! html{color-scheme:dark}p{color:#121212}||<p>W</p>
+  body{background:#000;color:#fff}||<p>W</p>
-  body{background:#000}||<p>W</p>
+  html{background:#000;color:white}||<p>W</p>
-  body{background:#222}p{color:#222}||<p>W</p>
-! body{background:url(x.png) #fff;color:white}||<p>W</p>
-! .o{background:url(x.png);color:white}||<p class=o>W</p>
+  .o{background-color:#fff;background-image:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==);color:white}||<p class=o>W</p>
+  .x{height:0;overflow:hidden}||<span class=x>W</span>
-  .x{height:0;overflow:hidden;display:inline-block}||<span class=x>W</span>
-  .x{height:0;overflow:hidden;float:left}||<span class=x>W</span>
-  .o{display:flex}.x{height:0;overflow:hidden}||<div class=o><span class=x>W</span></div>
-  .o{display:flex}.x{transform:scale(0)}||<div class=o><span class=x>W</span></div>
+  .x{transform:scale(0)}||<span class=x>W</span>
+  .x{content-visibility:hidden}||<span class=x>W</span>
-  .x{clip-path:inset(100%)}||<span class=x>W</span>
-  .x{opacity:0}||<span class=x>W</span>
+! .o{height:0;overflow:hidden}.x{position:absolute}||<div class=o><p class=x>W</p></div>
-  .o{height:0;overflow:hidden;position:relative}.x{position:absolute}||<div class=o><p class=x>W</p></div>
+  .o{display:contents;opacity:0}||<div class=o><p>W</p></div>
-  .o{display:contents;visibility:hidden}||<div class=o><p>W</p></div>
-  ||<div popover>W</div>
-  ||<div popover=manual>W</div>
+  [popover]{display:block;position:static}||<div popover>W</div>
-  ||<dialog>W</dialog>
+  ||<dialog open>W</dialog>
+  dialog{display:block}||<dialog>W</dialog>
-  ||<p hidden>W</p>
-  ||<p hidden="">W</p>
-  ||<p hidden=yes>W</p>
+  [hidden]{display:block}||<p hidden>W</p>
+  p{display:block}||<p hidden>W</p>
+  .x{display:flex}||<p hidden class=x>W</p>
+  .x{display:inherit}||<p hidden class=x>W</p>
+  ||<p inert>W</p>
-  ||<video>W</video>
-  ||<video src=x.mp4>W</video>
-  ||<audio>W</audio>
-  ||<canvas>W</canvas>
-  ||<iframe>W</iframe>
+  ||<object>W</object>
-  ||<object data="data:text/html,a">W</object>
-  ||<object data="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">W</object>
+! ||<progress>W</progress>
-  ||<meter>W</meter>
+! ||<textarea>W</textarea>
+  ||<select><option>a<option>W</select>
+  ||<select><option>W</select>
+  ||<select><option>a<option selected>W</select>
+  ||<select multiple><option>a<option>W</select>
+  ||<select size=3><option>a<option>W</select>
-  ||<datalist><option>W</datalist>
-  ||<noscript>W</noscript>
-  ||<template>W</template>
-  ||<div><template shadowrootmode=open><style>p{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>b{display:none}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>p{display:none}body p{display:block}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>.a .b{display:none}</style><p class=a><b class=b>W</b></p></template></div>
+! ||<div class=a><template shadowrootmode=open><style>.a .b{display:none}</style><b class=b>W</b></template></div>
-  ||<div><template shadowrootmode=open><style>:host{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host{display:block}</style><p>W</p></template></div>
-  ||<div data-off><template shadowrootmode=open><style>:host([data-off]){visibility:hidden}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host([data-off]){visibility:hidden}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host(:not([open])) p{display:none}</style><p>W</p></template></div>
+  ||<div open><template shadowrootmode=open><style>:host(:not([open])) p{display:none}</style><p>W</p></template></div>
+  ||<div class=c><template shadowrootmode=open><style>:host(.a,.c)>p{opacity:0}</style><p>W</p></template></div>
+  p{display:none}||<div><template shadowrootmode=open><style>b{color:red}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style></template></div><p>W</p>
-  ||<div><template shadowrootmode=open><style>p{display:none}</style><i><template shadowrootmode=open><p>W</p></template></i></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style><span><template shadowrootmode=open><p>W</p></template></span></template></div>
+  ||<div><template shadowrootmode=open><span><template shadowrootmode=open><style>p{display:none}</style></template></span><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>p{color:#fff}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>div{background:#000}p{color:#fff}</style><div><p>W</p></div></template></div>
-  body{color:#fff;background:#000}||<div><template shadowrootmode=open><style>p{background:#fff}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>::slotted(*){display:none}</style><slot></slot></template><p>W</p></div>
+  p{display:block}||<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>::slotted(b){display:none}</style><slot></slot></template><p><b>W</b></p></div>
+  ::slotted(p){display:none}||<div><template shadowrootmode=open><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>section{display:none}</style><section><slot></slot></section></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a><span><slot name=s></slot></span></div></template><p slot=s>W</p></div>
-  ||<div><template shadowrootmode=open><div style=display:none><slot></slot></div></template><b>W</b></div>
-  ||<div><template shadowrootmode=open><style>slot{display:none}</style><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><slot hidden>x</slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>section{visibility:hidden}</style><section><slot></slot></section></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>section{visibility:hidden}</style><section></section><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a>x</div><slot></slot></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>.a{display:none}</style><div class=a></div><div><slot></slot></div></template><p>W</p></div>
+  ||<div><template shadowrootmode=open><style>@media print{p{display:none}}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>@media screen{p{position:absolute;left:-9999px}}</style><p>W</p></template></div>
-  ||<div style="--d:none"><template shadowrootmode=open><style>p{display:var(--d)}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
-  ||<div class=c><template shadowrootmode=open><style>:host(.c){--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host(.c){--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  div{--d:block}||<div><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
+  ||<div style=--d:block><template shadowrootmode=open><style>:host{--d:none}p{display:var(--d)}</style><p>W</p></template></div>
-  div{--d:block}||<div><template shadowrootmode=open><style>:host{--d:none!important}p{display:var(--d)}</style><p>W</p></template></div>
-  p{--d:block}||<div><template shadowrootmode=open><style>p{display:var(--d,none)}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host-context(body) p{display:none}</style><p>W</p></template></div>
-  ||<main class=dark><div><template shadowrootmode=open><style>:host-context(.dark){display:none}</style><p>W</p></template></div></main>
+  ||<div><template shadowrootmode=open><style>:host-context(.dark) p{display:none}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>:host-context(p) p{display:none}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>:host{font-size:0}</style><p>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>p{display:none}</style><style>p{display:block}</style><p>W</p></template></div>
-  ||<div><template shadowrootmode=open><style>#a{display:none}</style><p id=a>W</p></template></div>
+  ||<div><template shadowrootmode=open><style>[hidden]{display:block}</style><p hidden>W</p></template></div>
-  ||<div><template shadowrootmode=open><link rel=stylesheet href="data:text/css,p{display:none}"><p>W</p></template></div>
-  ||<ruby>a<rp>W</rp><rt>b</rt></ruby>
+  ||<ruby>a<rt>W</rt></ruby>
+  ||<math><mtext>W</mtext></math>
-  ||<noembed>W</noembed>
-  ||<noframes>W</noframes>
-  ||<title>W</title>
+  ||<button>W</button>
+  ||<fieldset><legend>W</legend></fieldset>
+  ||<label>W</label>
+  ||<marquee scrollamount=0>W</marquee>
+  ||<xmp>W</xmp>
+  ||<plaintext>W
-  ||<font color=white>W</font>
-  ||<font color="#ffffff">W</font>
+  ||<font color="#024">W</font>
-  ||<font color=ffffff>W</font>
-  ||<table bgcolor=black><tr><td>W</table>
+  ||<table bgcolor=black><tr><td><font color=white>W</font></table>
-  ||<table><tr bgcolor=#111111><td style="color:#111">W</table>
+  ||<table><tr><td bgcolor=#333 style="color:#fff">W</table>
+  ||<font size=1>W</font>
+  ||<font size=-9>W</font>
+  ||<font color=white style="color:black">W</font>
-  ||<div dir=rtl style="text-indent:-9999px">W</div>
-  ||<div style="overflow:hidden;height:30px;position:relative"><div style="position:absolute;top:200px">W</div></div>
-! ||<div style="width:100px;overflow:hidden"><div style="margin-left:300px">W</div></div>
-  ||<div style="overflow:hidden;height:40px"><div style="height:200px"></div>W</div>
+  ||<div style="position:relative"><div style="position:absolute;z-index:-1">W</div></div>
+  ||<div style="position:relative;background:#fff;z-index:0"><div style="position:absolute;z-index:-1">W</div></div>
-  ||<div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden">W</div></div>
-  ||<div style="display:flex"><div style="flex:0 0 0;overflow:hidden">W</div></div>
+  ||<div style="visibility:hidden"><b style="visibility:visible">W</b></div>
-  ||<div style="opacity:0"><b style="opacity:1">W</b></div>
-  ||<div style="display:none"><b style="display:block">W</b></div>
+  ||<div style="font-size:0"><b style="font-size:16px">W</b></div>
+  ||<div style="color:white"><b style="color:black">W</b></div>
-  ||<div style="transform:scale(0)"><b style="transform:scale(9)">W</b></div>
-  ||<div style="-webkit-text-fill-color:transparent"><b style="color:black">W</b></div>
+! ||<div style="text-indent:-9999px"><p style="text-indent:0">W</p></div>
+  ||<div style="letter-spacing:-3em"><p style="letter-spacing:normal">W</p></div>
+  ||<div style="position:relative;margin-top:99px"><div style="position:absolute;bottom:100%">W</div></div>
+  ||<div style="position:relative;margin-left:600px"><div style="position:absolute;right:100%">W</div></div>
+  .o{position:relative;margin-left:600px}.x{position:absolute;left:0;transform:translateX(-100%)}||<div class=o><div class=x>W</div></div>
+  .o{position:relative;left:600px;width:100px}.x{position:absolute;left:-200px;width:150px}||<div class=o><i><b class=x>W</b></i></div>
+  .o{position:relative;top:99px}.x{position:absolute;top:-50px}||<div class=o><div class=x>W</div></div>
-  .o{position:static}.x{position:absolute;top:-50px}||<div class=o><div class=x>W</div></div>
-  .x{position:absolute;top:-50px}.x:focus{top:0}||<a href=/ class=x>W</a>
-  .x{position:absolute;top:-50px}||<div class=x>W</div><p class=o>and some</p>
+  .card{position:relative}.x{position:absolute;left:-100%}||<div class=card style="left:100%"><b class=x>W</b></div>
-  .x:dir(ltr){display:none}||<p class=x>W</p>
-  .x:dir(rtl){display:none}||<p class=x dir=rtl>W</p>
-  .x:dir(rtl){display:none}||<div dir=rtl><p class=x>W</p></div>
-  .x:defined{display:none}||<p class=x>W</p>
-  details:open p{display:none}||<details open><summary>a</summary><p class=x>W</p></details>
-  details:open + p{display:none}||<details open><summary>a</summary></details><p class=x>W</p>
-  dialog:open{display:none}||<dialog open>W</dialog>
-  :nth-child(1 of .x){display:none}||<p>a</p><p class=x>W</p>
-  :nth-child(2 of .x){display:none}||<p class=x>a</p><p>b</p><p class=x>W</p>
-  .y :nth-last-child(1 of .x){display:none}||<div class=y><p class=x>W</p><p>b</p></div>
-  .x{background:#fff;filter:contrast(0)}||<p class=x>W</p>
-  ||<table><tr><td bgcolor='#000000'>W</td></tr></table>
-  ||<table><tr bgcolor=black><td>W</td></tr></table>
-  input:placeholder-shown + .x{display:none}||<input placeholder=a><p class=x>W</p>
-  .x:read-only{display:none}||<p class=x>W</p>
-  .x:not(:autofill){display:none}||<p class=x>W</p>
-  .x:not(:picture-in-picture){display:none}||<p class=x>W</p>
-  .x:not(:user-valid){display:none}||<p class=x>W</p>
-  .x:not(:state(a)){display:none}||<p class=x>W</p>
+  .x:dir(rtl){display:none}||<p class=x>W</p>
+  :nth-child(2 of .x){display:none}||<p>a</p><p class=x>W</p>
-! x-y:not(:defined){display:none}||<x-y>W</x-y>
+  ||<table><tr bgcolor=black><td><font color=white>W</font></td></tr></table>
+  td{color:#fff}||<table bgcolor=#000000><tr><td>W</td></tr></table>
+  .x:read-write{display:none}||<p class=x>W</p>
+  details:open + p{display:none}||<details><summary>a</summary></details><p class=x>W</p>
-  .x{margin-left:-100%}||<p class=x>W</p>
+  .x{filter:contrast(.5)}||<p class=x>W</p>
-! ||<math><mphantom><mtext>W</mtext></mphantom></math>
+  ||<ruby>a<rp>(</rp><rt>W</rt><rp>)</rp></ruby>
-  .x::after{content:"";position:absolute;inset:0;background:#fff}.x{position:relative}||<p class=x>W</p>
-  .x::before{content:"";position:absolute;inset:0;background:#fff}.x{position:relative}||<p class=x>W</p>
-  .x:after{content:" ";position:absolute;top:0;left:0;width:100%;height:100%;background:white}.x{position:relative}||<p class=x>W</p>
-  ||<div style=position:relative>W<div style="position:absolute;inset:0;background:#fff"></div></div>
-  ||<div style=position:relative><div style="position:absolute;inset:0;background:#fff"></div>W</div>
-  ||<div style=position:relative><p style="position:relative;z-index:1">W</p><div style="position:absolute;inset:0;background:#fff;z-index:2"></div></div>
-  ||<div style=position:relative><p>W</p><div style="position:absolute;top:0;left:0;width:100%;height:100%;background:#fff"></div></div>
-  ||<div style=position:relative><p>W</p><div style="position:absolute;inset:0;background:linear-gradient(#fff,#fff)"></div></div>
-  ||<div style=position:relative><p>W</p><div style="position:absolute;inset:0;background:#fff"><b>other words</b></div></div>
+  ||<div style=position:relative><p>W</p><div style="position:absolute;inset:0;color:red"></div></div>
-! ||<p style="margin:0 0 -60px">W</p><div style="background:#fff;height:60px;position:relative"></div>
-  ||<p>W</p><div style="position:relative;top:-50px;height:50px;background:#fff"></div>
-  ||<p>W</p><div style="margin-top:-50px;height:50px;background:#fff;position:relative"></div>
-  ||<div style="display:grid"><p style="grid-area:1/1">W</p><div style="grid-area:1/1;background:#fff"></div></div>
-  ||<div style="display:grid"><p style="grid-area:1/1">W</p><div style="grid-area:1/1;background:#fff;position:relative"></div></div>
+  ||<div style="display:grid"><div style="grid-area:1/1;background:#fff"></div><p style="grid-area:1/1">W</p></div>
-  .o{background:#fff}||<div class=o><p style="position:relative;z-index:-1">W</p></div>
-  .o{background:#fff;position:relative}||<div class=o><p style="position:relative;z-index:-1">W</p></div>
-  .x::first-line{color:white}||<p class=x>W</p>
-  .x::first-line{font-size:0}||<p class=x>W</p>
-  .x::first-line{color:transparent}||<p class=x>W</p>
-  .x:first-line{color:white}||<p class=x>W</p>
-  ::first-line{color:white}||<p class=x>W</p>
-  .o::first-line{color:white}||<div class=o><p>W</p></div>
-  ::details-content{display:none}||<details open><summary>a</summary><p>W</p></details>
-  ::details-content{content-visibility:hidden}||<details open><summary>a</summary><p>W</p></details>
-  details::details-content{opacity:0}||<details open><summary>a</summary><p>W</p></details>
-  ::details-content{color:white}||<details open><summary>a</summary><p>W</p></details>
-  .c{--t:1}@container style(--t: 1 ){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  .c{--t:1}@container style(--t){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  @container not style(--t:1){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  :root{--t:dark}@container style(--t:dark){.x{display:none}}||<p class=x>W</p>
-  .c{--t:1}@container style(--t:1) or style(--u){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  .c{--t:1}@container (style(--t:1)){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  .c{--t:1;container-name:n}@container n style(--t:1){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  @container style(--t:1){.x{display:none}}||<div style="--t:1"><p class=x>W</p></div>
+  .c{--t:1}.x{display:none}@container style(--t:1){.x{display:block}}||<div class=c><p class=x>W</p></div>
-  .c{--t:5}@container style(--t > 3){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  .o{--t:1;@container style(--t:1){.x{display:none}}}||<div class=o><p class=x>W</p></div>
+  .c{container-type:inline-size}@container (orientation:landscape){.x{display:none}}||<div class=c><p class=x>W</p></div>
-  .c{container-type:inline-size}.x{font-size:.1cqw}||<div class=c><p class=x>W</p></div>
-  @media (pointer:fine){.x{display:none}}@media (pointer:coarse){.x{display:none}}||<p class=x>W</p>
-  @media (-webkit-transform-3d){.x{display:none}}||<p class=x>W</p>
+  @media \\0screen{.x{display:none}}||<p class=x>W</p>
-  @media (horizontal-viewport-segments:1){.x{display:none}}||<p class=x>W</p>
-  @media (device-posture:continuous){.x{display:none}}||<p class=x>W</p>
-  @media (orientation){.x{display:none}}||<p class=x>W</p>
-  @media screen,print{.x{display:none}}||<p class=x>W</p>
+  @media print,tv{.x{display:none}}||<p class=x>W</p>
-  @media{.x{display:none}}||<p class=x>W</p>
+  @media screen{@media print{.x{display:none}}}||<p class=x>W</p>
+  @media (prefers-reduced-data:no-preference){.x{display:none}}||<p class=x>W</p>
+  @media (inverted-colors:none){.x{display:none}}||<p class=x>W</p>
-  @media (any-pointer){.x{display:none}}||<p class=x>W</p>
+  @media (nav-controls){.x{display:none}}||<p class=x>W</p>
-  @supports (color:color-mix(in srgb, red, blue)){.x{display:none}}||<p class=x>W</p>
-  @supports (display:if(else:none)){.x{display:none}}||<p class=x>W</p>
-  @supports at-rule(@container){.x{display:none}}||<p class=x>W</p>
-  @supports selector(::-webkit-scrollbar){.x{display:none}}||<p class=x>W</p>
+  @supports selector(:foo){.x{display:none}}||<p class=x>W</p>
-  @supports selector(&){.x{display:none}}||<p class=x>W</p>
-  @supports selector(:host){.x{display:none}}||<p class=x>W</p>
-  @supports font-tech(color-COLRv1){.x{display:none}}||<p class=x>W</p>
-  @supports font-format(woff2){.x{display:none}}||<p class=x>W</p>
-  @supports (grid-template-rows:subgrid){.x{display:none}}||<p class=x>W</p>
-  @supports (aspect-ratio:1){.x{display:none}}||<p class=x>W</p>
-  @supports (text-box:trim-both cap alphabetic){.x{display:none}}||<p class=x>W</p>
-  @supports (corner-shape:squircle){.x{display:none}}||<p class=x>W</p>
-  @supports not (-webkit-touch-callout:none){.x{display:none}}||<p class=x>W</p>
+  @supports (hanging-punctuation:first){.x{display:none}}||<p class=x>W</p>
-  @supports (contain:paint){.x{display:none}}||<p class=x>W</p>
-  @supports (content-visibility:auto){.x{display:none}}||<p class=x>W</p>
-  @supports (fill:red){.x{display:none}}||<p class=x>W</p>
-  @supports (stroke-width:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (mask-composite:add){.x{display:none}}||<p class=x>W</p>
-  @supports (d:none){.x{display:none}}||<p class=x>W</p>
-  @supports (offset-path:none){.x{display:none}}||<p class=x>W</p>
-  @supports (animation-composition:add){.x{display:none}}||<p class=x>W</p>
-  @supports (overlay:auto){.x{display:none}}||<p class=x>W</p>
-  @supports (print-color-adjust:exact){.x{display:none}}||<p class=x>W</p>
-  @supports (ruby-align:center){.x{display:none}}||<p class=x>W</p>
-  @supports (white-space-collapse:preserve){.x{display:none}}||<p class=x>W</p>
-  @supports (text-spacing-trim:normal){.x{display:none}}||<p class=x>W</p>
-  @supports (speak:none){.x{display:none}}||<p class=x>W</p>
-  @supports (margin-trim:block){.x{display:none}}||<p class=x>W</p>
-  @supports (padding-left:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (margin-right:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (margin-bottom:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (border-left:1px solid red){.x{display:none}}||<p class=x>W</p>
-  @supports (border-color:red){.x{display:none}}||<p class=x>W</p>
-  @supports (border-bottom-left-radius:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (font-variant:small-caps){.x{display:none}}||<p class=x>W</p>
-  @supports (font-style:italic){.x{display:none}}||<p class=x>W</p>
-  @supports (font-stretch:50%){.x{display:none}}||<p class=x>W</p>
-  @supports (list-style:none){.x{display:none}}||<p class=x>W</p>
-  @supports (quotes:none){.x{display:none}}||<p class=x>W</p>
-  @supports (direction:rtl){.x{display:none}}||<p class=x>W</p>
-  @supports (letter-spacing:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (word-spacing:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (page-break-after:always){.x{display:none}}||<p class=x>W</p>
-  @supports (clear:both){.x{display:none}}||<p class=x>W</p>
-  @supports (background-size:cover){.x{display:none}}||<p class=x>W</p>
-  @supports (background-position:0 0){.x{display:none}}||<p class=x>W</p>
-  @supports (transform-origin:0 0){.x{display:none}}||<p class=x>W</p>
-  @supports (perspective-origin:0 0){.x{display:none}}||<p class=x>W</p>
-  @supports (overflow-anchor:none){.x{display:none}}||<p class=x>W</p>
-  @supports (overflow-wrap:anywhere){.x{display:none}}||<p class=x>W</p>
-  @supports (animation-delay:1s){.x{display:none}}||<p class=x>W</p>
-  @supports (transition-delay:1s){.x{display:none}}||<p class=x>W</p>
-  @supports (scroll-padding:1px){.x{display:none}}||<p class=x>W</p>
-  @supports (place-content:center){.x{display:none}}||<p class=x>W</p>
-  @supports (justify-self:center){.x{display:none}}||<p class=x>W</p>
-  @supports (flex-shrink:1){.x{display:none}}||<p class=x>W</p>
-  @supports (grid-column:1){.x{display:none}}||<p class=x>W</p>
-  @supports (grid-auto-flow:row){.x{display:none}}||<p class=x>W</p>
-  @supports (counter-increment:a){.x{display:none}}||<p class=x>W</p>
-  @supports (tab-size:4){.x{display:none}}||<p class=x>W</p>
-  @supports (unicode-bidi:embed){.x{display:none}}||<p class=x>W</p>
-  @supports (orphans:2){.x{display:none}}||<p class=x>W</p>
-  @supports (empty-cells:hide){.x{display:none}}||<p class=x>W</p>
-  @supports (border-collapse:collapse){.x{display:none}}||<p class=x>W</p>
-  @supports (-webkit-box-reflect:below){.x{display:none}}||<p class=x>W</p>
-  @supports (width:max-content){.x{display:none}}||<p class=x>W</p>
-  @supports (font-size:1cap){.x{display:none}}||<p class=x>W</p>
+  @supports (font-size:1foo){.x{display:none}}||<p class=x>W</p>
-  @supports (display:none !important){.x{display:none}}||<p class=x>W</p>
-  @supports(display:grid){.x{display:none}}||<p class=x>W</p>
-  ||<div><style>@scope{.x{display:none}}</style><p class=x>W</p></div>
-  ||<div><style>@scope{p{opacity:0}}</style><p>W</p></div>
-  @scope (.o){.q & {display:none}}||<div class=q><div class=o>W</div></div>
-  @scope (.o) to (.l){.x{display:none}}||<div class=o><p class=x>W</p></div>
-  @scope (.o) to (.l){.x{display:none}}||<div class=o><div class=l></div><p class=x>W</p></div>
+  @scope (.o) to (.l){.x{display:block}}.x{display:none}||<div class=o><p class=x>W</p></div>
-  @scope (.o){:scope > .x{display:none}}||<div class=o><p class=x>W</p></div>
-  @scope (.o){p{display:none}}||<div class=o><p>W</p></div><p>a</p>
-  @layer a{.x{display:none}}@layer b{.x{display:block}}@layer b{.x{display:revert-layer}}||<p class=x>W</p>
-  @layer a{.x{display:none}}@layer b{.x{display:revert-layer}}||<p class=x>W</p>
-  .x{display:none}||<p class=x style="display:revert-layer">W</p>
-  @layer a{.x{display:none}}.x{display:revert-layer}||<p class=x>W</p>
+  .x{display:initial}||<p hidden class=x>W</p>
-  .x{display:revert-layer}||<p hidden class=x>W</p>
+  .x{all:unset}||<p hidden class=x>W</p>
+  .x{all:revert}||<p hidden class=x>W</p>
-  .x{display:foo}||<p hidden class=x>W</p>
-  .o{visibility:hidden}.x{visibility:revert}||<div class=o><p class=x>W</p></div>
-  .o{font-size:0}.x{font-size:1em}||<div class=o><p class=x>W</p></div>
+  .o{font-size:0}.x{font-size:1rem}||<div class=o><p class=x>W</p></div>
-  .o{font-size:0}.x{font-size:larger}||<div class=o><p class=x>W</p></div>
+  .o{font-size:0}.x{font-size:medium}||<div class=o><p class=x>W</p></div>
+  html{font-size:10px}.x{font-size:1.6rem}||<p class=x>W</p>
-  html{font-size:62.5%}.x{font-size:.1rem}||<p class=x>W</p>
-  .o{font-size:20px}.x{font-size:.05em}||<div class=o><p class=x>W</p></div>
-  .o{zoom:.3}.x{zoom:.3}||<div class=o><div class=o><div class=x>W</div></div></div>
-  .o{transform:scale(.3)}||<div class=o><div class=o><div class=o>W</div></div></div>
-  .o{scale:.3}||<div class=o><div class=o><div class=o>W</div></div></div>
-  .o{opacity:.5}||<div class=o><div class=o><div class=o><div class=o><div class=o>W</div></div></div></div></div>
-  .o{filter:opacity(.2)}||<div class=o><div class=o>W</div></div>
-  .o{opacity:.2}.x{filter:opacity(.2)}||<div class=o><div class=x>W</div></div>
-  .o{filter:opacity(.4)}||<div class=o><div class=o><div class=o><div class=o>W</div></div></div></div>
-  .o{transform:translateX(-600px)}||<div class=o><div class=o>W</div></div>
-  .o{position:relative;left:-600px}||<div class=o><div class=o>W</div></div>
-  .o{overflow:hidden}.x{margin-left:100vw}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden}.x{transform:translateX(100%)}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden}.x{transform:translateX(-100%)}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden}.x{translate:100%}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden}.x{position:relative;left:100%}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden;position:relative}.x{position:absolute;left:100%}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden;position:relative}.x{position:absolute;left:100%}||<div class=o>some<div class=x>W</div></div>
-  .o{overflow:hidden;position:relative}.x{position:absolute;top:100%}||<div class=o>some<div class=x>W</div></div>
-  .o{overflow:hidden;position:relative}.x{position:absolute;bottom:100%}||<div class=o>some<div class=x>W</div></div>
-  .o{overflow:hidden;position:relative}.x{position:absolute;right:100%}||<div class=o>some<div class=x>W</div></div>
-  body{overflow-x:hidden}.x{margin-left:100vw}||<div class=x>W</div>
-  html{overflow-x:hidden}.x{position:absolute;left:100vw}||<div class=x>W</div>
-  html,body{overflow-x:hidden}.x{transform:translateX(100vw)}||<div class=x>W</div>
-  body{overflow-x:hidden}.x{position:absolute;left:9999px}||<div class=x>W</div>
-  body{overflow-x:hidden}.x{margin-left:9999px}||<div class=x>W</div>
-  .x{-webkit-line-clamp:1;display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}||<div class=x>a<br>b<br>W</div>
-  .x{-webkit-line-clamp:1;display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}||<div class=x><p>a</p><p>b</p><p>W</p></div>
-  .o{display:flex;width:0}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:flex}.x{flex:0 0 0;overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:flex}.x{flex:0 0 0px;overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:flex}.x{flex-basis:0;overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:grid}.x{height:0;overflow:hidden}||<div class=o><span class=x>W</span></div>
-  .o{display:inline-flex}.x{width:0;overflow:hidden}||<div class=o><b class=x>W</b></div>
-  .o{display:inline-grid}.x{content-visibility:hidden}||<div class=o><b class=x>W</b></div>
-  .o{display:grid;grid-template-rows:0fr}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:grid;grid-template-rows:0fr}.x{min-height:0;overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{display:grid;grid-template-rows:0px}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
-! .o{display:grid;grid-template-columns:0fr}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
-! .o{display:grid;grid-template-columns:0 1fr}.x{overflow:hidden}||<div class=o><div class=x>W</div><div>a</div></div>
-  .o{width:0}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
-  .o{width:0}.x{width:100%;overflow:hidden}||<div class=o><div class=x>W</div></div>
+  .o{width:0}.x{overflow:visible}||<div class=o><div class=x>W</div></div>
-  .o{width:0;float:left}.x{overflow:hidden}||<div class=o><div class=x>W</div></div>
+  td{height:0;overflow:hidden}||<table><tr><td>W</td></tr></table>
+  tr{height:0;overflow:hidden}||<table><tr><td>W</td></tr></table>
-  tr.x{visibility:collapse}td{visibility:visible}||<table><tr class=x><td>W</td></tr><tr><td>a</td></tr></table>
-! col.x{visibility:collapse}||<table><colgroup><col><col class=x></colgroup><tr><td>a</td><td>W</td></tr></table>
-! col{visibility:collapse}||<table><col><tr><td>W</td></tr></table>
+  table{height:0;overflow:hidden}||<table><tr><td>W</td></tr></table>
+  td.x{width:0;overflow:hidden}||<table><tr><td class=x>W</td><td>a</td></tr></table>
-  caption{display:none}||<table><caption>W</caption><tr><td>a</td></tr></table>
-  tr{transform:scale(0)}||<table><tr><td>W</td></tr></table>
-  p:not(:valid){display:none}||<p>W</p>
-  form:valid .x{display:none}||<form><p class=x>W</p></form>
-  form:invalid .x{display:none}||<form><input required><p class=x>W</p></form>
-  fieldset:invalid .x{display:none}||<fieldset><input required><p class=x>W</p></fieldset>
-  input:valid + .x{display:none}||<input><p class=x>W</p>
-  input:invalid + .x{display:none}||<input required><p class=x>W</p>
-  input:valid + .x{display:none}||<input required value=a><p class=x>W</p>
-  input:invalid + .x{display:none}||<input type=email value=a><p class=x>W</p>
-  input:valid + .x{display:none}||<input type=email value=a@b.c><p class=x>W</p>
-  input:invalid + .x{display:none}||<input type=number min=5 value=1><p class=x>W</p>
-  input:invalid + .x{display:none}||<input pattern=a value=b><p class=x>W</p>
-  input:in-range + .x{display:none}||<input type=number min=1 max=9 value=5><p class=x>W</p>
-  input:in-range + .x{display:none}||<input type=number min=1 max=9><p class=x>W</p>
-  input:in-range + .x{display:none}||<input type=range><p class=x>W</p>
-  input:out-of-range + .x{display:none}||<input type=number min=1 max=9 value=50><p class=x>W</p>
-  p:not(:in-range){display:none}||<p>W</p>
-  p:not(:out-of-range){display:none}||<p>W</p>
-  p:not(:invalid){display:none}||<p>W</p>
-  p:not(:user-invalid){display:none}||<p>W</p>
-  input:required + .x{display:none}||<input required><p class=x>W</p>
-  input:optional + .x{display:none}||<input><p class=x>W</p>
-  p:not(:required){display:none}||<p>W</p>
-  input:checked + .x{display:none}||<input type=checkbox checked><p class=x>W</p>
-  input:not(:checked) + .x{display:none}||<input type=checkbox><p class=x>W</p>
-  input:indeterminate + .x{display:none}||<input type=radio name=a><p class=x>W</p>
-  input:default + .x{display:none}||<input type=checkbox checked><p class=x>W</p>
-  button:default + .x{display:none}||<form><button>a</button><p class=x>W</p></form>
-  input:enabled + .x{display:none}||<input><p class=x>W</p>
-  input:disabled + .x{display:none}||<fieldset disabled><input><p class=x>W</p></fieldset>
-  p:not(:disabled){display:none}||<p>W</p>
-  p:read-write{display:none}||<p contenteditable>W</p>
+  input:focus + .x{display:none}||<input autofocus><p class=x>W</p>
+  a:visited{display:none}||<a href=/>W</a>
-  a:not(:visited){display:none}||<a href=/>W</a>
-  .x:not(:target){display:none}||<p class=x id=a>W</p>
-  details:not([open]) + .x{display:none}||<details><summary>a</summary></details><p class=x>W</p>
-  .x:dir(rtl){display:none}||<p class=x dir=auto>אבג <b>W</b></p>
-  .x:dir(ltr){display:none}||<p class=x dir=auto>a W</p>
-  .x:dir(rtl) {display:none}||<div dir=auto>אבג<p class=x>W</p></div>
-  bdi:dir(rtl) + .x{display:none}||<bdi>אבג</bdi><p class=x>W</p>
+  .x:lang(de){display:none}||<p class=x xml:lang=de>W</p>
-  .x:nth-child(odd){display:none}||<div><p class=x>W</p></div>
-  .x:only-of-type{display:none}||<div><i>a</i><p class=x>W</p></div>
-  .y:is(.b,.c) + .x{display:none}||<p class="y c">a</p><p class=x>W</p>
-  .y:has(b) + .x{display:none}||<p class=y>a<b>b</b></p><p class=x>W</p>
-  .y:has(b) ~ .x{display:none}||<p class=y>a<b>b</b></p><p>c</p><p class=x>W</p>
-  .x:has(+ .y){display:none}||<p class=x>W</p><p class=y>a</p>
-  .x:has(~ .y){display:none}||<p class=x>W</p><p>b</p><p class=y>a</p>
-  .x:not(:has(+ .y)){display:none}||<p class=x>W</p><p>a</p>
-  .o:has(> .y .z) .x{display:none}||<div class=o><div class=y><i class=z></i></div><p class=x>W</p></div>
-  .o:has(:is(.y,.z)) .x{display:none}||<div class=o><i class=z></i><p class=x>W</p></div>
-  .o:has(.z + .x) .x{display:none}||<div class=o><i class=z></i><p class=x>W</p></div>
-  :not(#q#q):not(#q#q).x{display:none}#i{display:block}||<p class=x id=i>W</p>
-  .x.x.x{display:none}.x.x{display:block}||<p class=x>W</p>
-  *|p{display:none}||<p>W</p>
+! @namespace url(http://example.org/);p{display:none}||<p>W</p>
-  *|*.x{display:none}||<p class=x>W</p>
-  [data-a="B" i]{display:none}||<p data-a=b>W</p>
-  [data-a="\\62"]{display:none}||<p data-a=b>W</p>
-  .🙂{display:none}||<p class=🙂>W</p>
-  #\\31{display:none}||<p id=1>W</p>
-  [type=A]{display:none}||<p type=a>W</p>
+  [data-a^=""]{display:none}||<p data-a="abc">W</p>
-  .a.b.c{display:none}||<p class="c b a">W</p>
-  & .x{display:none}||<p class=x>W</p>
-  :scope{color:white}||<p class=x>W</p>
-  :not(body,html){display:none}||<p class=x>W</p>
+! svg|a,.x{display:none}||<p class=x>W</p>
+  ||<style type=text/plain>.x{display:none}</style><p class=x>W</p>
+  ||<style type="text/css; charset=utf-8">.x{display:none}</style><p class=x>W</p>
-  ||<style media="(min-width:1px)">.x{display:none}</style><p class=x>W</p>
+  ||<style title=a>.y{color:red}</style><style title=b>.x{display:none}</style><p class=x>W</p>
-  ||<p class=x>W</p><style>.x{display:none}</style>
+  ||<template><style>.x{display:none}</style></template><p class=x>W</p>
+  ||<iframe srcdoc="<style>p{display:none}</style>"></iframe><p class=x>W</p>
+  ||<link rel=stylesheet type=text/plain href="data:text/css,.x{display:none}"><p class=x>W</p>
-  @import "data:text/css,.x{display:none}";||<p class=x>W</p>
-  @import url(data:text/css,.x{display:none});||<p class=x>W</p>
-  @import "data:text/css,.x{display:none}" layer(a);||<p class=x>W</p>
-  @import "data:text/css,.x{display:none}" layer;||<p class=x>W</p>
-  @import "data:text/css,.x{display:none}" supports(display:grid);||<p class=x>W</p>
-  @import "data:text/css,.x{display:none}" layer(a) supports(display:grid) screen;||<p class=x>W</p>
+  .y{color:red}@import "data:text/css,.x{display:none}";||<p class=x>W</p>
+  @layer a{}@import "data:text/css,.x{display:none}";||<p class=x>W</p>
+! @namespace a url(b);@import "data:text/css,.x{display:none}";||<p class=x>W</p>
-  @import "data:text/css,@import 'data:text/css,.x{display:none}'";||<p class=x>W</p>
-  @import "data:text/css,.x{display:none}"||<p class=x>W</p>
-  @function --f(){result:none}.x{display:--f()}||<p class=x>W</p>
-  @property --o{syntax:"<number>";inherits:false;initial-value:0}.x{opacity:var(--o)}||<p class=x>W</p>
-  @property --o{syntax:"<number>";inherits:false;initial-value:0}.o{--o:1}.x{opacity:var(--o)}||<div class=o><p class=x>W</p></div>
-  @property --o{syntax:"<length>";inherits:true;initial-value:0px}:root{--o:red}.x{font-size:var(--o)}||<p class=x>W</p>
-  .x{opacity:attr(data-o type(<number>))}||<p class=x data-o=0>W</p>
-  .x{opacity:attr(data-o type(<number>), 0)}||<p class=x>W</p>
-  .x{opacity:attr(data-o number)}||<p class=x data-o=0>W</p>
-  .x{font-size:attr(data-s px)}||<p class=x data-s=0>W</p>
-  .x{font-size:attr(data-s type(<length>))}||<p class=x data-s=1px>W</p>
-  .x{color:attr(data-c type(<color>))}||<p class=x data-c=white>W</p>
-  .x{color:attr(data-c type(<color>), white)}||<p class=x>W</p>
+  .x{color:attr(data-c type(<color>), white)}||<p class=x data-c=black>W</p>
-  .x{display:attr(data-d type(<custom-ident>))}||<p class=x data-d=none>W</p>
-  .x{display:attr(data-d type(*))}||<p class=x data-d=none>W</p>
+  .x{display:attr(data-d)}||<p class=x data-d=none>W</p>
-  .x{display:attr(data-d type(*), none)}||<p class=x>W</p>
-  .x{position:absolute;left:attr(data-l px)}||<p class=x data-l=-9999>W</p>
-  .x{--o:attr(data-o type(<number>));opacity:var(--o)}||<p class=x data-o=0>W</p>
-  .x{display:if(style(--a:1):none;else:block)}||<p class=x style="--a:1">W</p>
-  .o{--a:1}.x{display:if(style(--a:1):none;else:block)}||<div class=o><p class=x>W</p></div>
-  .x{opacity:calc(sibling-index() - 1)}||<div><p class=x>W</p></div>
-  .x{opacity:calc(2 - sibling-index())}||<div><i>a</i><p class=x>W</p></div>
-  .x{opacity:calc(sibling-count() - 1)}||<div><p class=x>W</p></div>
-  .x{text-indent:calc(sibling-index() * -9999px)}||<div><p class=x>W</p></div>
-  ||<math><mtext mathcolor=white>W</mtext></math>
-  ||<math><mstyle mathcolor=white><mtext>W</mtext></mstyle></math>
-  ||<math mathcolor=white><mtext>W</mtext></math>
-  ||<math><mtext mathsize=0>W</mtext></math>
-  ||<math><mtext mathsize=0px>W</mtext></math>
-  ||<svg><metadata>W</metadata></svg>
+  ||<p>a<svg></svg></p><p>W</p>
-  ||<object hidden>W</object>
+  ||<select><option>W</option></select>
-  ||<meter value=1>W</meter>
-  ||<ruby style="ruby-position:over">a<rt style="visibility:hidden">W</rt></ruby>
+  ||<portal>W</portal>
+  ||<table><colgroup>W</colgroup><tr><td>a</td></tr></table>
+  ||<table><caption>W</caption><tr><td>a</td></tr></table>
-  ||<!W>
+  ||<head>W</head>
-  ||<p hidden=hidden>W</p>
-  .o{color:white}||<div class=o><a href=/>W</a></div>
-  ||<font color=white><a href=/>W</a></font>
+  ||<basefont color=white><p>W</p>
-! ||<table background=x.png><tr><td><font color=white>W</font></table>
+  ||<tr><td height=0>W
-  ||<p style=display:none>W</p>
-  ||<p style="display:none/*">W</p>
+  ||<p style="color:white"><mark>W</mark></p>
+  ||<p style="color:black;background:#000"><mark>W</mark></p>
-  ||<mark style="color:yellow">W</mark>
-  ||<mark style="color:#ff0">W</mark>
+  ||<fieldset disabled><p>W</p></fieldset>
-  ||<legend style="display:none">W</legend>
+  ||<dialog style="display:block">W</dialog>
-  ||<li style="display:contents;display:none">W</li>
-  ||<h1 style="text-indent:100%;white-space:nowrap;overflow:hidden">W</h1>
-  ||<h1 style="font:0/0 a;color:transparent;text-shadow:none">W</h1>
-  ||<span style="display:inline-block;width:0;height:0;overflow:hidden">W</span>
-  ||<div style="height:0"><div style="height:0;overflow:hidden">W</div></div>
-  ||<div style="columns:2;height:0;overflow:hidden">W</div>
+! ||<div style="transform-style:preserve-3d;transform:rotateY(90deg)"><p style="transform:rotateY(-90deg)">W</p></div>
-  ||<div style="transform:scale(0)"><p>W</p></div>
+  ||<div style="mix-blend-mode:lighten"><p>W</p></div>
-  ||<div style="filter:brightness(0);background:#fff"><p>W</p></div>
-  ||<div style="filter:invert(1)"><p>W</p></div>
+  ||<div style="filter:invert(1)"><p style="color:white">W</p></div>
+  ||<div style="background:#000;color:#fff;filter:invert(1)"><p>W</p></div>
-  ||<div style="background:#000"><p style="color:#fff;mix-blend-mode:multiply">W</p></div>
+  ||<div style="color:#fff"><p style="background:linear-gradient(#000,#000)">W</p></div>
-  ||<div style="box-shadow:inset 0 0 0 999px #000"><p>W</p></div>
+  ||<div style="box-shadow:inset 0 0 0 999px #000;color:#fff"><p>W</p></div>
-! ||<div style="border:40px solid #000;height:0;width:200px"><p style="margin:-30px;color:#000">W</p></div>
-  ||<div style="text-decoration:line-through #fff 2em"><p>W</p></div>
-  ||<div style="color:white"><p style="text-decoration:line-through black 2em">W</p></div>
-  ||<div style="content-visibility:hidden"><p>W</p></div>
-  ||<div style="contain:strict"><p>W</p></div>
-  ||<div style="contain:size;overflow:hidden"><p>W</p></div>
-  ||<div style="container-type:size;overflow:hidden"><p>W</p></div>
+  ||<div style="height:0;overflow:hidden;display:table-cell"><p>W</p></div>
-! ||<div dir=rtl style="margin-right:-9999px">W</div>
-  ||<div dir=rtl style="text-indent:9999px">W</div>
-  ||<html style="color:white"><p>W</p>
+  ||<table style="display:none"><div>W</div></table>
+  ||<button style="display:none"><button>W</button>
+  ||<nobr style="display:none"><nobr>W</nobr>
-  ||<select style="display:none"><p>W</p></select>
-  .x{display:none}.x{display:block;display:revert-rule}||<p class=x>W</p>
-  .x{display:revert}||<dialog class=x>W</dialog>
-  .x{display:revert}||<div popover class=x>W</div>
-  html{font-size:0}.x{font-size:1rem}||<p class=x>W</p>
-  html{font-size:1px}.x{font-size:1rem}||<p class=x>W</p>
-  .o{margin-left:-600px}||<div class=o><div class=o>W</div></div>
-  .o{overflow:hidden;height:20px}||<div class=o><br><br><br><br>W</div>
-  .o{overflow:hidden;height:20px}||<div class=o><p>a</p><p>b</p><p>W</p></div>
-  .o{overflow:hidden;max-height:1.5em}||<div class=o><div>a</div><div>b</div><div>c</div><div>W</div></div>
-  .o{overflow:hidden;height:20px;padding-top:60px;box-sizing:border-box}||<div class=o><p>W</p></div>
-  .o{overflow:hidden;height:40px}.x{margin-top:100px}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden;width:100px}.x{margin-left:100%}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden}.x{margin-left:100%}||<div class=o><div class=x>W</div></div>
-  .o{overflow:hidden;height:50px}.x{margin-top:60px}||<div class=o>some<div class=x>W</div></div>
-  .o{overflow:clip}.x{margin-left:100%}||<div class=o><div class=x>W</div></div>
-  .o{contain:paint}.x{margin-left:100%}||<div class=o><div class=x>W</div></div>
+  @property --o{syntax:"<number>";inherits:false;initial-value:1}.o{--o:0}.x{opacity:var(--o)}||<div class=o><p class=x>W</p></div>
-  ||<h1 style="width:300px;height:50px;padding-top:50px;overflow:hidden;box-sizing:border-box">W</h1>
-  .x{display:none}||<p class="a x b">W</p>
-  p.x:not(.y){visibility:hidden}||<p class=x>W</p>
-  [data-h]{opacity:0}||<p data-h>W</p>
-  [data-h="1"]{display:none}||<p data-h=1>W</p>
-  p[class^=hid]{display:none}||<p class=hidden-by>W</p>
-  main~p,.x:first-of-type{display:none}||<p class=x>W</p>
-  section>div>p{display:none}||<section><div><p>W</p></div></section>
-  body>p:nth-child(1){display:none}||<p>W</p>
-  :is(.x,.y){font-size:0}||<p class=y>W</p>
-  :where(p.x){color:white}||<p class=x>W</p>
-  .o:has(>.x) .x{display:none}||<div class=o><p class=x>W</p></div>
-  .o{&>.x{display:none}}||<div class=o><p class=x>W</p></div>
-  @layer base{.x{display:block}}.x{display:none}||<p class=x>W</p>
-  @media (min-width:1px){.x{opacity:0}}||<p class=x>W</p>
-  @supports (display:block){.x{display:none}}||<p class=x>W</p>
-  .x{color:#fff}.x span{color:inherit}||<p class=x><span>W</span></p>
-  .o{font-size:0}.o p{font-size:1em}||<div class=o><p>W</p></div>
-  .o{visibility:hidden}||<div class=o><ul><li>W</li></ul></div>
-  .o{opacity:0}.o p{opacity:1}||<div class=o><p>W</p></div>
-  .o{background:#000;color:#000}||<div class=o><b>W</b></div>
-  .o{background:#111}.o p{color:#111}||<div class=o><p>W</p></div>
-  table.t{background:#fff}td.x{color:#fff}||<table class=t><tr><td class=x>W</td></tr></table>
-  tr.x{display:none}||<table><tr class=x><td>W</td></tr><tr><td>a</td></tr></table>
-  ||<div style="height:0;overflow:hidden"><p>some text</p><p>W</p></div>
-  ||<div style="position:relative;overflow:hidden;width:200px;height:50px"><p style="position:absolute;left:210px;top:0">W</p></div>
-  ||<div style="overflow:hidden;height:18px;line-height:18px">one line<br>W</div>
-  ||<div style="height:30px;overflow:hidden"><div style="height:60px"></div><div>W</div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;inset:0;background:white"></div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;top:0;left:0;width:100%;height:100%;background:#fff;z-index:2"></div></div>
-  ||<div style="position:relative;z-index:0"><p style="position:relative;z-index:-1">W</p><div style="position:absolute;inset:0;background:#fff"></div></div>
-  ||<div style="background:#fff"><p style="position:relative;z-index:-1">W</p></div>
-  ||<div style="display:flex;width:0;overflow:hidden"><p>W</p></div>
-  ||<div style="opacity:.3"><div style="opacity:.3"><p style="opacity:.3">W</p></div></div>
-  ||<div style="transform:scale(.2)"><div style="transform:scale(.2)">W</div></div>
+  ||<div style="font-size:10%"><div style="font-size:10%"><p>W</p></div></div>
-  ||<div style="font-size:.1px"><p style="font-size:1em">W</p></div>
-  ||<svg width=0 height=0><text y=10>W</text></svg>
-  ||<textarea hidden>W</textarea>
-  ||<input type=hidden value=x><p hidden>W</p>
+  ||<p hidden style="display:revert">W</p>
-  ||<details><summary>s</summary><p hidden>W</p></details>
-  ||<datalist><option>W</option></datalist>
-  ||<object data="data:image/png;base64,iVBORw0KGgo=" type="image/png" style="display:none">W</object>
-  ||<font color="#fffffe" size=1>W</font>
-  ||<table bgcolor=black><tr><td><font color=black>W</font></table>
-  ||<ruby>a<rt style="display:none">W</rt></ruby>
-  ||<p><span style="display:inline-block;width:0;height:0;overflow:hidden">W</span>text</p>
-  ||<p style="font-size:0">a<span>W</span><span style="font-size:16px">b</span></p>
-  ||<p>text<span style="position:absolute;left:-99em">W</span></p>
-  ||<a href=/ style="color:#fff;text-decoration:none">W</a>
-  ||<h1 style="color:white">W</h1>
-  ||<blockquote style="visibility:collapse">W</blockquote>
-  ||<ol style="list-style:none;height:0;overflow:hidden"><li>W</ol>
-  ||<pre style="opacity:0">W</pre>
-  ||<label style="font-size:0">W</label>
-  ||<div inert style="opacity:0">W</div>
-  ||<div aria-hidden=true style="font-size:0">W</div>
-  ||<div slot=x style="display:none">W</div>
-  ||<x-y style="display:none">W</x-y>
-  ||<center style="color:#fff">W</center>
+  .x{opacity:1}||<p class=x>W</p>
+  .x{visibility:hidden}.x b{visibility:visible}||<p class=x><b>W</b></p>
+  .x{color:#fff;background:#333}||<p class=x>W</p>
+  .o{color:#fff;background:#000}||<div class=o><p>W</p></div>
+  .o{overflow:hidden;max-height:200px}||<div class=o><p>W</p></div>
-  .o{overflow:hidden;position:relative;height:50px}.x{position:absolute;top:60px}||<div class=o>some<div class=x>W</div></div>
+  ||<map><area>W</map>
+  ||<map>W</map>
-  ||<body link=white><a href=/>W</a>
-  ||<div style="position:relative;height:30px;overflow:hidden"><p style="position:absolute;top:40px">W</p></div>
-  ||<div style="display:grid"><p style="grid-row:1;grid-column:1">W</p><div style="grid-row:1;grid-column:1;background:#fff;z-index:1">x</div></div>
-  ||<p>W</p><div style="position:relative;margin-top:-3em;background:#fff;height:4em"></div>
-! ||<p style="margin-bottom:-34px">W</p><div style="position:relative;background:#fff;height:60px"></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;left:0;right:0;top:0;height:80px;background:#fff"></div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;inset:-5px;background:#fff"></div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;top:0;left:0;width:600px;height:100px;background:white"></div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;top:0;left:0;width:100vw;height:100vh;background:#fff"></div></div>
+  ||<div style="position:relative"><p>W</p><div style="position:absolute;top:80px;left:0;width:100%;height:100%;background:#fff"></div></div>
-  ||<div style="position:relative"><p>W</p><div style="position:absolute;top:-50px;bottom:-50px;left:-50px;right:-50px;background:#fff"></div></div>
-  ||<div><p>W</p><div style="transform:translateY(-50px);background:#fff;height:60px"></div></div>
-  ||<div><p>W</p><div style="position:relative;bottom:50px;background:#fff;height:60px"></div></div>
-  ||<div><p>W</p><div style="translate:0 -50px;background:#fff;height:60px"></div></div>
-  ||<div><p>W</p><div style="float:left;position:relative;width:100%;margin-top:-50px;height:60px;background:#fff"></div></div>
-! ||<div style="display:flex"><p style="margin-right:-200px">W</p><div style="width:300px;background:#fff;position:relative">&nbsp;<br>&nbsp;<br>&nbsp;<br>&nbsp;</div></div>
-  ||<div style="display:flex;flex-direction:column"><p>W</p><div style="margin-top:-50px;height:60px;background:#fff;z-index:1"></div></div>
-  ||<p>W</p><hr style="border:0;height:60px;margin:-50px 0 0;background:#fff;position:relative">
-  ||<p>W</p><img style="display:block;width:100%;height:60px;margin-top:-50px;position:relative;background:#fff" src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=">
+  ||<p>W</p><div style="margin-top:-50px;height:50px;background:#fff"></div>
+  ||<div style="position:relative"><p style="position:relative;z-index:2">W</p><div style="position:absolute;inset:0;background:#fff;z-index:1"></div></div>
+  ||<div style="position:relative"><div style="position:absolute;inset:0;background:#fff;z-index:-1"></div><p>W</p></div>
-  .o{position:relative}.o::after{content:"";position:absolute;left:0;top:0;width:900px;height:200px;background:#fff}||<div class=o><p>W</p></div>
-! .o{position:relative}.o::after{content:"";display:block;position:absolute;inset:0;backdrop-filter:blur(30px)}||<div class=o><p>W</p></div>
+  .o{position:relative}.o::after{content:"";position:absolute;inset:0;backdrop-filter:opacity(0)}||<div class=o><p>W</p></div>
-! .x::after{content:"";display:block;height:60px;margin-top:-50px;background:#fff;position:relative}||<p class=x>W</p>
-! .x+p::before{content:"";display:block;height:60px;margin-top:-60px;background:#fff;position:relative}||<div class=x>W</div><p>and so on</p>
-  ||<div style="position:relative"><p>W</p><iframe style="position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff"></iframe></div>
-  ||<div style="position:relative"><p>W</p><canvas style="position:absolute;top:0;left:0;width:100%;height:100%;background:#fff"></canvas></div>
-  ||<div style="position:relative"><p>W</p><textarea style="position:absolute;inset:0;width:100%;height:100%;background:#fff;border:0"></textarea></div>
-! ||<div style="white-space:nowrap;width:60px;overflow:hidden">a few words before W</div>
-  ||<div style="white-space:nowrap;width:60px;overflow:clip">a few words before <b>W</b></div>
-  ||<div style="white-space:nowrap;width:60px;overflow:hidden;text-overflow:ellipsis">some words in front of <b>W</b></div>
-  ||<div style="white-space:nowrap;max-width:8ch;overflow:hidden">some words in front of <i>W</i></div>
-! ||<div style="white-space:pre;width:6em;overflow:hidden">                                W</div>
+  ||<div style="white-space:nowrap;width:600px;overflow:hidden">some words <b>W</b></div>
-  ||<p style="white-space:nowrap;overflow:hidden;width:100px">one two three four five six <b>W</b></p>
-  ||<p style="display:block;text-wrap:nowrap;overflow:hidden;width:50px">one two three four five six <b>W</b></p>
-! ||<div style="display:flex;width:80px;overflow:hidden"><span style="flex:none;width:100px">a</span><span style="flex:none">W</span></div>
-! ||<div style="display:flex;flex-wrap:nowrap;overflow:hidden;width:200px"><div style="min-width:100%">a</div><div style="min-width:100%">W</div></div>
-  ||<p style="mask:linear-gradient(90deg,transparent,transparent)">W</p>
-  ||<p style="mask-image:radial-gradient(transparent,transparent)">W</p>
-! ||<p style="mask-image:linear-gradient(to right,transparent 90%,black)">W</p>
-  ||<p style="mask-image:conic-gradient(transparent,#0000)">W</p>
-! ||<p style="mask-image:linear-gradient(transparent 400px,#000 400px)">W</p>
-! ||<p style="mask:linear-gradient(#000,#000) right/10px 10px no-repeat">W</p>
-  ||<p style="mask:repeating-linear-gradient(90deg,#0000,#0000 9px)">W</p>
+  ||<p style="mask-image:linear-gradient(to right,black,transparent)">W</p>
+  ||<p style="mask-clip:text;-webkit-mask-image:linear-gradient(#000,#000)">W</p>
-! ||<p style="mask-image:linear-gradient(#0000 99%,#000)">W</p>
-! ||<p style="-webkit-mask:radial-gradient(circle at 9999px 0,#000 10px,transparent 11px)">W</p>
-  ||<p style="transform:rotateY(90deg)"><b>W</b></p>
-  ||<p style="transform:rotateY(89.9deg)">W</p>
-  ||<p style="transform:rotateY(100grad)">W</p>
-  ||<p style="transform:rotateX(-90deg)">W</p>
-  ||<p style="transform:rotate3d(0,1,0,.25turn)">W</p>
-  ||<p style="transform:rotate3d(0,5,0,90deg)">W</p>
+  ||<p style="transform:rotateX(80deg)">W</p>
-  ||<p style="transform:rotateY(45deg) rotateY(45deg)">W</p>
+! ||<p style="transform:skewX(89.9deg)">W</p>
-! ||<p style="transform:skew(0,90deg)">W</p>
-! ||<p style="transform:skewY(20deg)">W</p>
-  ||<p style="transform:perspective(100px) rotateY(90deg)">W</p>
-  ||<p style="transform:perspective(100px) translateZ(101px)">W</p>
-! ||<p style="perspective:100px"><b style="display:block;transform:translateZ(200px)">W</b></p>
-  ||<p style="rotate:y 90deg"><b>W</b></p>
-  ||<p style="rotate:0 1 0 90deg">W</p>
-  ||<p style="rotate:1 0 0 -90deg">W</p>
-! ||<p style="rotate:90deg">W</p>
+  ||<p style="transform:rotate(180deg)">W</p>
+  ||<p style="transform:rotate(90deg);transform-origin:0 0">W</p>
+  ||<p style="transform:rotate(-90deg);transform-origin:0 0;margin:0">W</p>
-! ||<p style="transform:rotate(90deg);transform-origin:-3000px 0">W</p>
+  ||<p style="transform:rotate(180deg);transform-origin:0 0;margin:0">W</p>
+  ||<p style="transform:scaleX(-1);transform-origin:left">W</p>
+  ||<p style="transform:scale(-1);transform-origin:0 0">W</p>
-! ||<p style="transform:scale(40);transform-origin:-90px 0">W</p>
-  ||<p style="scale:0 1">W</p>
-  ||<p style="transform:matrix(1,0,0,0,0,0)">W</p>
-  ||<p style="transform:matrix(0,0,0,1,0,0)">W</p>
-  ||<p style="transform:matrix(1,0,0,1,-3000,0)">W</p>
-  ||<p style="transform:matrix(1,0,0,1,0,-3000)">W</p>
-! ||<p style="transform:translate(-50%,-500%)">W</p>
-! ||<p style="transform:translateY(-1000%)">W</p>
-  ||<div style="overflow:hidden;height:30px"><p style="margin:0;transform:translateY(50px)">W</p></div>
+  ||<div style="overflow:hidden;height:30px"><p style="margin:0;transform:translateY(100%)">W</p></div>
-! ||<div style="overflow:hidden"><p style="transform:translateX(-50%);width:50%">W</p></div>
-! ||<div style="overflow:hidden;width:300px"><p style="transform:translateX(-50%);text-align:left">W</p></div>
-  ||<div style="overflow:hidden;height:20px"><p style="margin:0;position:relative;top:20px">W</p></div>
-  ||<div style="overflow:hidden;height:40px"><p style="margin:0;position:relative;top:-30px">W</p></div>
-! ||<div style="overflow:hidden;width:100px"><p style="position:relative;left:120px">W</p></div>
-  ||<div style="overflow:hidden"><p style="position:relative;top:-60px;margin:0">W</p></div>
-  ||<div style="overflow:hidden;height:60px"><p style="margin:-40px 0 0">W</p></div>
-  ||<div style="overflow:hidden"><p style="margin-top:-40px">W</p>x</div>
-! ||<div style="overflow:hidden;width:300px"><p style="margin-left:320px">W</p></div>
-! ||<div style="overflow:hidden"><p style="padding-left:2000px;white-space:nowrap">W</p></div>
-  ||<div style="overflow:hidden;height:50px"><p style="padding-top:60px;margin:0">W</p></div>
-! ||<div style="overflow:hidden;height:50px"><p style="border-top:60px solid #fff;margin:0">W</p></div>
-! ||<div style="overflow:hidden;width:200px"><table><tr><td><div style="width:300px">a</div></td><td>W</td></tr></table></div>
-  ||<div style="position:absolute;top:100000px">W</div>
-  ||<div style="position:absolute;left:100000px">W</div>
-  ||<div style="position:absolute;top:0;left:5000px">W</div>
-  ||<div style="margin-top:100000px;position:absolute">W</div>
-  ||<div style="position:relative;top:100000px">W</div>
-  ||<div style="position:relative;left:20000px">W</div>
-  ||<div style="position:absolute;left:300vw">W</div>
-  ||<div style="position:absolute;top:9000vh">W</div>
-  ||<div style="transform:translateY(100000px)">W</div>
-  ||<div style="translate:0 100000px">W</div>
-  ||<div style="position:absolute;bottom:-100000px">W</div>
-  ||<div style="position:absolute;right:-100000px">W</div>
+  ||<div style="position:absolute;top:150px;left:200px">W</div>
-  ||<div style="zoom:0.01">W</div>
-  ||<div style="zoom:1%">W</div>
-  ||<div style="zoom:.3"><div style="zoom:.3">W</div></div>
-  ||<div style="zoom:2"><p style="font-size:1px">W</p></div>
+  ||<div style="zoom:.1"><p style="font-size:160px">W</p></div>
+  ||<div style="zoom:normal">W</div>
-  ||<div style="content-visibility:hidden"><p style="content-visibility:visible">W</p></div>
+  ||<div style="content-visibility:auto;contain-intrinsic-size:10px">W</div>
-  .x{content-visibility:hidden;contain-intrinsic-size:200px}||<section class=x><p>W</p></section>
-  ||<button popovertarget=q>b</button><div id=q popover=auto>W</div>
-  ||<button popovertarget=q>b</button><div id=q popover=hint>W</div>
-  [popover]{display:block;opacity:0}||<div popover>W</div>
+  [popover]:not(:popover-open){display:none}||<div popover style="display:block">W</div>
-  ||<div popover style="display:revert">W</div>
-  ||<div inert style="opacity:.02">W</div>
+  ||<div inert>W</div>
-  [inert]{visibility:hidden}||<div inert>W</div>
-  [inert]{opacity:0}||<div inert>W</div>
+  :not([inert])>.x{opacity:0}||<div inert><p class=x>W</p></div>
-  .x{opacity:0;transition:opacity 99s}@starting-style{.x{opacity:1}}||<p class=x>W</p>
+  .x{transition:opacity 1s;@starting-style{opacity:0}}||<p class=x>W</p>
-  .x{opacity:0;@starting-style{opacity:1}}||<p class=x>W</p>
-  .x{animation:a 1s 1 both}@keyframes a{0%{opacity:1}50%{opacity:1}100%{opacity:0}}||<p class=x>W</p>
-  .x{animation:a 1s backwards;opacity:0}@keyframes a{from{opacity:1}}||<p class=x>W</p>
+  .x{animation:a 1s 2s both}@keyframes a{from{opacity:0}}||<p class=x>W</p>
+  .x{animation:a 1s paused;animation-delay:-1s}@keyframes a{to{opacity:0}}||<p class=x>W</p>
+! .x{animation:a 1s paused both}@keyframes a{from{opacity:0}}||<p class=x>W</p>
-  .x{animation:a 9999s both}@keyframes a{from{display:none}to{display:none}}||<p class=x>W</p>
+! .x{animation:a 1s infinite}@keyframes a{from,to{visibility:hidden}}||<p class=x>W</p>
+  .x{animation:a linear both;animation-timeline:scroll()}@keyframes a{from{opacity:0}to{opacity:1}}||<p class=x>W</p>
+! .x{animation:a linear both;animation-timeline:view()}@keyframes a{from{opacity:0}to{opacity:0}}||<p class=x>W</p>
-  .x{animation:a steps(1) 1s forwards}@keyframes a{to{transform:translateX(-9999px)}}||<p class=x>W</p>
+  .x{animation:a 1s forwards,b 1s forwards}@keyframes a{to{opacity:0}}@keyframes b{to{opacity:1}}||<p class=x>W</p>
-  .x{animation:b 1s forwards,a 1s forwards}@keyframes a{to{opacity:0}}@keyframes b{to{opacity:1}}||<p class=x>W</p>
-  .x{animation-name:a;animation-duration:1s;animation-fill-mode:forwards}@keyframes a{to{clip-path:inset(50%)}}||<p class=x>W</p>
-! .o{animation:a 1s forwards}@keyframes a{to{--v:0}}.x{opacity:var(--v,1)}||<div class=o><p class=x>W</p></div>
-  .x{animation:a 1s forwards}@layer q{@keyframes a{to{opacity:0}}}||<p class=x>W</p>
-  .x{animation:a 1s forwards}@supports (display:grid){@keyframes a{to{opacity:0}}}||<p class=x>W</p>
+  .x{animation:a 1s both}@keyframes a{from{opacity:0}to{opacity:1}}||<p class=x>W</p>
-  ||<p style="clip-path:path('M0 0 h0 v0 z')">W</p>
-  ||<p style="clip-path:path('M0 0 L1 0 L1 1 Z')">W</p>
-  ||<p style="clip-path:path('m 900 900 h 10 v 10 z')">W</p>
-  ||<p style="clip-path:path('M0,0 C0,0 0,0 0,0 Z')">W</p>
-  ||<p style="clip-path:xywh(0 0 0 10px)">W</p>
-  ||<p style="clip-path:xywh(500% 0 10px 10px)">W</p>
-  ||<p style="clip-path:xywh(0 200px 100% 100%)">W</p>
+  ||<p style="clip-path:xywh(0 0 200px 50px)">W</p>
-  ||<p style="clip-path:rect(0 0 auto auto)">W</p>
-  ||<p style="clip-path:rect(100px auto auto 0)">W</p>
-  ||<p style="clip-path:inset(0 0 0 100%)">W</p>
-! ||<p style="clip-path:inset(0 0 0 400px)">W</p>
-  ||<p style="clip-path:inset(100px 0 0 0)">W</p>
+  ||<p style="clip-path:inset(-50px)">W</p>
-  ||<p style="clip-path:polygon(100% 0,100% 0,100% 100%)">W</p>
-! ||<p style="clip-path:polygon(50% 0,100% 0,100% 100%)">W</p>
-  ||<p style="clip-path:ellipse(10px 10px at 1000px 10px)">W</p>
-  ||<p style="clip-path:circle(5px at 900px 0)">W</p>
-! ||<p style="clip-path:circle(5px at right)">W</p>
-! ||<p style="clip-path:circle(closest-side at 0 0)">W</p>
-! ||<p style="clip-path:url(#c)">W</p><svg width=0 height=0><clipPath id=c></clipPath></svg>
-! ||<p style="clip-path:url(#c)">W</p><svg width=0 height=0><clipPath id=c><rect width=0 height=0 /></clipPath></svg>
-! ||<p style="filter:url(#f)">W</p><svg width=0 height=0><filter id=f><feFlood flood-opacity=0 /></filter></svg>
-! ||<p style="mask:url(#m)">W</p><svg width=0 height=0><mask id=m></mask></svg>
-  ||<p style="text-indent:-999em">W</p>
-  ||<p style="text-indent:-50em;overflow:hidden">W</p>
-  ||<p style="text-indent:500px;width:400px;overflow:hidden;white-space:nowrap">W</p>
-  ||<p style="text-indent:150%;overflow:hidden">W</p>
-  ||<div style="overflow:hidden;text-indent:-300px"><p>W</p></div>
+  ||<p style="text-indent:-10px">W</p>
+! ||<p style="letter-spacing:-50px">W</p>
+! ||<p style="letter-spacing:-1em">W</p>
+! ||<p style="letter-spacing:-.7em">W</p>
+  ||<p style="letter-spacing:-.1em">W</p>
-! ||<p style="letter-spacing:3000px;overflow:hidden">a<b>W</b></p>
-  ||<p style="font-size-adjust:0.01">W</p>
+  ||<p style="font-size-adjust:.5">W</p>
+  @font-palette-values --p{font-family:x;override-colors:0 #fff}.x{font-palette:--p}||<p class=x>W</p>
-  ||<p style="line-height:0;overflow:hidden;margin:0">W</p>
-  ||<p style="line-height:0px;overflow:clip">W</p>
+  ||<p style="line-height:.01;overflow:hidden">W</p>
+  ||<p style="line-height:1px;overflow:hidden">W</p>
+  ||<p style="line-height:1;overflow:hidden">W</p>
+! ||<div style="line-height:0;overflow:hidden"><p>W</p></div>
+! ||<div style="line-height:0;overflow:hidden"><p style="line-height:20px">W</p></div>
-  ||<div style="column-count:2;column-fill:auto;height:20px;width:200px;overflow:hidden">a<br>b<br>c<br>d<br>W</div>
-  ||<div style="columns:100px;height:20px;width:100px;overflow:hidden">a<br>b<br>W</div>
+  ||<div style="columns:2;width:300px">a<br>W</div>
-  ||<div style="columns:1;height:1em;overflow:clip">some<div style="break-before:column">W</div></div>
-  ||<div style="contain:strict;width:0;height:0">W</div>
-  ||<div style="contain:size layout;height:0;overflow:clip">W</div>
-  ||<div style="contain:content;height:0">W</div>
-  ||<div style="contain:paint;max-height:0">W</div>
+  ||<div style="contain:strict;height:40px">W</div>
-  ||<div style="contain:inline-size;overflow:hidden;float:left">W</div>
-  ||<div style="contain:inline-size;overflow:hidden;display:inline-block">W</div>
+! ||<object data="nothing.bin" type="application/x-none"><p>W</p></object>
-  ||<object type="text/x-none"><p>W</p></object>
+! ||<object data="data:image/png;base64,iVBORw0KGgo=">W</object>
+  ||<embed>W</embed>
-  ||<iframe srcdoc="<p>a</p>">W</iframe>
-  ||<iframe src="about:blank"><p>W</p></iframe>
-  ||<noscript><p>W</p></noscript>
-  ||<noscript><div style="display:block">W</div></noscript>
-  ||<div><template shadowrootmode=open></template>W</div>
-  ||<div><template shadowrootmode=closed><p>a</p></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><slot name=a></slot></template><p slot=b>W</p></div>
+  ||<div><template shadowrootmode=open><slot name=a></slot></template><p slot=a>W</p></div>
+  ||<section><template shadowrootmode=open><p>W</p></template></section>
-  ||<ul><template shadowrootmode=open><p>W</p></template><li>a</ul>
-  ||<div><template shadowrootmode=open><style>:host{opacity:0}</style><slot></slot></template><p>W</p></div>
-  ||<div><template shadowrootmode=open><style>::slotted(*){font-size:0}</style><slot></slot></template><p>W</p></div>
-! ||<div><template shadowrootmode=open><p part=a>W</p></template></div><style>div::part(a){display:none}</style>
-  ||<dialog><form>W</form></dialog>
+  dialog:not([open]){display:block}||<dialog>W</dialog>
-  dialog{opacity:0}||<dialog open>W</dialog>
+  ||<details><summary>W</summary>a</details>
+  ||<details open><summary>a</summary><p>W</p></details>
-  details>*{display:none}||<details open><summary>a</summary><p>W</p></details>
-  details[open]>p{opacity:0}||<details open><summary>a</summary><p>W</p></details>
-  summary{font-size:0}||<details open><summary>W</summary>a</details>
+  ||<select><optgroup label=a><option>b<option>W</optgroup></select>
+  ||<select><optgroup label=a><option>W</optgroup></select>
+  ||<select size=2><option>a<option>b<option>W</select>
+  ||<select><option hidden>a<option>b<option>c<option selected>W</select>
+! ||<datalist style="display:block"><option>W</option></datalist>
-  ||<select style="opacity:0"><option>W</select>
-  ||<audio controls>W</audio>
-  ||<video controls><p>W</p></video>
-  ||<canvas width=300 height=50><p>W</p></canvas>
-  ||<canvas style="display:block"><b>W</b></canvas>
-  ||<ruby>a<rp>W</rp></ruby>
+! rp{display:inline}||<ruby>a<rp>W</rp></ruby>
-  rt{display:none}||<ruby>a<rt>W</rt></ruby>
-  rt{font-size:0}||<ruby>a<rt>W</rt></ruby>
+! ||<svg width=200 height=30><text y=20>W</text></svg>
-  ||<svg width=200 height=30><text y=20 fill=none>W</text></svg>
-  ||<svg width=200 height=30><text y=20 fill=white>W</text></svg>
-  ||<svg width=200 height=30><text y=20 opacity=0>W</text></svg>
-  ||<svg width=200 height=30><text y=200>W</text></svg>
-  ||<svg width=200 height=30><defs><text y=20>W</text></defs></svg>
-  ||<svg width=200 height=30><title>W</title></svg>
-  ||<svg width=200 height=30><desc>W</desc></svg>
-  ||<svg width=200 height=30><symbol><text y=20>W</text></symbol></svg>
+! ||<svg width=200 height=30><foreignObject width=200 height=30><p>W</p></foreignObject></svg>
-  ||<svg width=200 height=30><foreignObject width=0 height=0><p>W</p></foreignObject></svg>
-  ||<svg width=200 height=30><g display=none><text y=20>W</text></g></svg>
-  ||<svg width=200 height=30><text y=20 visibility=hidden>W</text></svg>
-  ||<svg width=200 height=30><text y=20 font-size=0>W</text></svg>
+! ||<svg width=200 height=30><a href=/><text y=20><tspan>W</tspan></text></a></svg>
+! ||<svg viewBox="0 0 200 30" width=200><text y=20>W</text></svg>
-  ||<svg width=200 height=30 style="display:none"><text y=20>W</text></svg>
+! title{display:block}head{display:block}||<title style="display:block">W</title>
-! ||<math style="opacity:0"><mtext>W</mtext></math>
-  ||<math><mtext style="color:#fff">W</mtext></math>
-  ||<math><mi mathcolor="#ffffff">W</mi></math>
+  ||<math><mpadded width=0 height=0><mtext>W</mtext></mpadded></math>
-  ||<math><semantics><mi>a</mi><annotation>W</annotation></semantics></math>
-! ||<math><mphantom><mi>W</mi></mphantom></math>
-  ||<math><mstyle mathsize="1px"><mtext>W</mtext></mstyle></math>
-! ||<math><maction><mi>a</mi><mtext>W</mtext></maction></math>
+  ||<map name=m><p>W</p></map>
-  ||<map name=m style="display:none"><p>W</p></map>
+  ||<p><area>W</p>
-  @layer a,b;@layer b{.x{opacity:0}}@layer a{.x{opacity:1}}||<p class=x>W</p>
+  @layer a{.x{opacity:0}}@layer b,a;@layer b{.x{opacity:1}}||<p class=x>W</p>
+  @layer a{@layer c{.x{opacity:0}}}@layer a.c{.x{opacity:1}}||<p class=x>W</p>
-  @layer a{.x{opacity:1}}@layer{.x{opacity:0}}||<p class=x>W</p>
-  @layer a{.x{opacity:0!important}}@layer b{.x{opacity:1!important}}||<p class=x>W</p>
-  @import url("data:text/css,.x{opacity:1}") layer(z);@layer y{.x{opacity:0}}||<p class=x>W</p>
+  @import url("data:text/css,.x{opacity:0}") print;||<p class=x>W</p>
-  @import url("data:text/css,.x{opacity:0}") (min-width:1px);||<p class=x>W</p>
-! @supports (inset:0) and (not (zoom:none)){.x{opacity:0}}||<p class=x>W</p>
-  @supports (color:light-dark(red,red)) or (a:b){.x{opacity:0}}||<p class=x>W</p>
+  @supports (width:1foo) or (height:1bar){.x{opacity:0}}||<p class=x>W</p>
+  @supports not selector(:has(a)){.x{opacity:0}}||<p class=x>W</p>
-  @supports selector(:has(a)){.x{opacity:0}}||<p class=x>W</p>
-  :has(+p.y)>b,.x:has(b){opacity:0}||<p class=x>W<b>a</b></p>
-  body:has(main) .x{opacity:0}||<p class=x>W</p>
+  body:not(:has(main)) .x{opacity:0}||<p class=x>W</p>
-  :root:has(.x){font-size:0}||<p class=x>W</p>
-  .o:has(.x):not(:has(.y)){visibility:hidden}||<div class=o><p class=x>W</p></div>
-  :is(#a,.x){opacity:0}.x.x.x{opacity:1}||<p class=x>W</p>
+  :where(#a,.x){opacity:0}.x{opacity:1}||<p class=x>W</p>
-  :is(.o .x){opacity:0}||<div class=o><p class=x>W</p></div>
-  :not(:is(.y,.z)).x{opacity:0}p.x{opacity:1}||<p class=x>W</p>
-  .o{.q &{opacity:0}}||<div class=q><div class=o>W</div></div>
-  .o{& &{opacity:0}}||<div class=o><div class=o>W</div></div>
-  .o{&+&{opacity:0}}||<div class=o>a</div><div class=o>W</div>
-  .o{>p{opacity:0;b&{opacity:1}}}||<div class=o><p>W</p></div>
+  .o{@layer a{opacity:0}opacity:1}||<div class=o>W</div>
-  .o{&:is(.p){opacity:0}}||<div class="o p">W</div>
-  .x{opacity:var(--a,var(--b,0))}||<p class=x>W</p>
-  .x{opacity:var(--a,var(--b,1))}:root{--b:0}||<p class=x>W</p>
-! .x{--a:var(--a);opacity:var(--a,0)}||<p class=x>W</p>
-  .x{opacity:var(--a);--a:inherit}.o{--a:0}||<div class=o><p class=x>W</p></div>
-  .x{translate:var(--a) 0;--a:calc(-1*5000px)}||<p class=x>W</p>
-  .x{font-size:calc(var(--a)*1px);--a:0.5}||<p class=x>W</p>
-  .x{color:light-dark(#fff,#000)}||<p class=x>W</p>
-! .x{color-scheme:dark;color:light-dark(#000,#fff)}||<p class=x>W</p>
-! .o{color-scheme:dark}.x{color:light-dark(#000,#fff)}||<div class=o><p class=x>W</p></div>
-  .x{background:light-dark(#fff,#000);color:light-dark(#fff,#000)}||<p class=x>W</p>
-  .x{color:rgb(from black 255 255 255)}||<p class=x>W</p>
-  .x{color:rgb(from #000 r g b / .02)}||<p class=x>W</p>
-! .x{color:hsl(from red h 0% 100%)}||<p class=x>W</p>
-! .x{color:oklch(from black 1 0 h)}||<p class=x>W</p>
+  .x{color:oklch(from #fff calc(l - .6) c h)}||<p class=x>W</p>
-  .x{color:color-mix(in oklab,#fff 98%,#000)}||<p class=x>W</p>
-  .x{color:color-mix(in srgb,#000 4%,transparent)}||<p class=x>W</p>
-  .x{--c:#fff;color:rgb(from var(--c) r g b)}||<p class=x>W</p>
-  .x{color:color-mix(in srgb,var(--a,#fff),white)}||<p class=x>W</p>
-  @media (width>=1px) and (height>=1px){.x{opacity:0}}||<p class=x>W</p>
-  @media (hover:hover){.x{opacity:0}}@media (hover:none){.x{opacity:0}}||<p class=x>W</p>
-  @media (prefers-reduced-motion:no-preference){.x{opacity:0}}||<p class=x>W</p>
-  @media (dynamic-range:standard){.x{opacity:0}}||<p class=x>W</p>
-  @media (color-gamut:srgb){.x{opacity:0}}||<p class=x>W</p>
-  @media screen and (color){.x{opacity:0}}||<p class=x>W</p>
-  @media (overflow-inline:scroll){.x{opacity:0}}||<p class=x>W</p>
+  @media speech{.x{opacity:0}}||<p class=x>W</p>
-  @media not print{.x{opacity:0}}||<p class=x>W</p>
-  @media (min-width:0){.x{opacity:0}}||<p class=x>W</p>
-  .c{container-type:inline-size}@container (width>0px){.x{opacity:0}}||<div class=c><p class=x>W</p></div>
-! .c{container-type:size;height:50px}@container (height<100px){.x{opacity:0}}||<div class=c><p class=x>W</p></div>
+! .c{container:q/inline-size}@container r (width>0px){.x{opacity:0}}||<div class=c><p class=x>W</p></div>
-  .c{container-type:inline-size}@container (width>1px) and (width<9000px){.x{opacity:0}}||<div class=c><p class=x>W</p></div>
-  .c{--k:on}@container not style(--k:off){.x{opacity:0}}||<div class=c><p class=x>W</p></div>
-  .x{max-height:20px;overflow:hidden}||<div class=x><p>one</p><p>two</p><p>three</p><p>W</p></div>
-  .read-more{max-height:20px;overflow:hidden}||<div class=read-more><p>one</p><p>two</p><p>three</p><p>W</p></div>
-  .fold .x{max-height:20px;overflow:hidden}||<div class=fold><div class=x><p>one</p><p>two</p><p>three</p><p>W</p></div></div>
-  .open-box{height:20px;overflow:hidden}||<div class=open-box><p>one</p><p>two</p><p>W</p></div>
-  .collapse{max-height:1.5em;overflow:hidden}||<div class=collapse>one<br>two<br>three<br>W</div>
-  .expanded{max-height:24px;overflow:hidden}||<div class=expanded>one<br>two<br>three<br>W</div>
-  .truncate{height:24px;overflow:clip}||<div class=truncate>one<br>two<br>three<br>W</div>
-  .toggle{display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden}||<div class=toggle>one<br>two<br>W</div>
-  .more{overflow:hidden;max-height:20px}||<div class=more style="position:relative"><p>a</p><p style="position:absolute;top:100px">W</p></div>
-  .close-it{overflow:hidden;height:1.2em}||<div class=close-it>a<br>b<br>c<br>W</div><p>some other text</p>
-  .o{.x{text-indent:-800px;overflow:hidden;white-space:nowrap}}||<div class=o style="overflow:hidden;height:20px"><p class=x>W</p></div>
-  .o{.x{visibility:hidden}}||<div class=o><p class=x>W</p></div>
+  .o{.x{clip-path:polygon(60% 70%,90% 90%,90% 10%)}}||<section class=o><p>a line</p><b class=x>W</b><p>another line</p></section>
-  @scope (.o){.x{position:fixed;top:-200%}}||<div class=o style="position:relative;overflow:hidden">some text <h2 class=x>W</h2></div>
-! @media (min-width:300px){.x{translate:1800px 50px}}||<div class=o style="display:flex"><h2 class=x>W</h2></div>
-  .x{--v:invert(1);filter:var(--v);}||<div class=o style="max-height:90px;overflow:hidden"><p>one</p><p>two</p><div class=x>W</div></div>
-  .o{.x{color:transparent}}||<div class=o><div class=x>W</div></div>
-  :is(.x,.y):not(.z){width:1px;overflow:clip;word-break:keep-all}||<div class=o><p class=x>W</p></div>
-  [data-k='1']{clip-path:inset(40% 80% 40% 30%)}||<table class=o><tr><td><div data-k=1>W</div></table>
+  @layer a{.x{position:relative;top:-50%}}||<div class=o><p class=x>W</p></div>
+  ||<table class=o><tr><td><b style="transform:rotateZ(50deg)">W</b></table>
-  :is(.x,.y):not(.z){transform:translateX(-150%)}||<div class=o><p class=x>W</p></div>
-  .x{color:white}||<div class=o style="max-height:90px;overflow:hidden"><p>one</p><p>two</p><section class=x>W</section></div>
-! [data-k='1']{mask:linear-gradient(#000 0 0) 300px 0/150px 50px no-repeat}||<div class=o><div data-k=1>W</div></div>
-! .o:has(.x) .x{-webkit-text-fill-color:#999}||<div class=o><b class=x>W</b></div><div style="position:relative;margin-top:-20px;height:70px;background:#fff"></div>
-  .x{color:rgb(255 255 255 / .9)}||<div class=o><span class=x>W</span></div>
+  @media (min-width:300px){.x{line-height:.1;overflow:hidden}}||<div class=o><span class=x>W</span></div>
-  .x{mask-image:linear-gradient(transparent,transparent)}||<div class=o><b class=x>W</b></div><div style="position:relative;margin-top:-20px;height:70px;background:#fff"></div>
-! [data-k='1']{clip-path:circle(26px at 470px 40px)}||<div class=o><h2 data-k=1>W</h2></div>
-  .o:has(.x) .x{opacity:0}||<div class=o><p class=x>W</p></div>
-  .x{--v:translate(1300px,-900px);transform:var(--v);}||<div class=o><h2 class=x>W</h2></div>
+  @supports (display:grid){.x{letter-spacing:-.2em}}||<div class=o><div class=x>W</div></div>
+  .x{line-height:3;overflow:hidden}||<div class=o style="display:grid"><section class=x>W</section></div>
+  .o{.x{height:30px;padding-top:20px;box-sizing:border-box;overflow:hidden}}||<div class=o><p class=x>W</p></div><div style="position:relative;margin-top:10px;height:70px;background:#fff"></div>
+! .o{.x{position:absolute;right:900px}}||<div class=o><div class=x>W</div></div>
+  @media (min-width:1px){.x{filter:opacity(.4)}}||<div class=o><span class=x>W</span></div>
-  @scope (.o){.x{color:white;background:white}}||<div class=o><p class=x>W</p></div>
-  ||<div class=o style="white-space:nowrap;width:400px;overflow:hidden">a few words first <div style="translate:-1800px 0px">W</div></div>
+  .x{--v:9px;font-size:var(--v);}||<div class=o><span class=x>W</span></div>
+  .o{.x{translate:2100px -100px}}||<div class=o><span class=x>W</span></div>
+  .x{transform:translateY(-100%)}||<section class=o><p>a line</p><span class=x>W</span><p>another line</p></section>
-  [data-k='1']{perspective:250px;transform:perspective(350px) translateZ(500px)}||<div class=o style="max-height:20px;overflow:hidden"><p>one</p><p>two</p><section data-k=1>W</section></div>
+  .o:has(.x) .x{visibility:visible}||<section class=o><p>a line</p><span class=x>W</span><p>another line</p></section>
+  [data-k='1']{width:1px;overflow:visible;word-break:keep-all}||<div class=o style="position:relative;overflow:hidden">some text <b data-k=1>W</b></div>
-! .x{animation:k 1ms both}@keyframes k{to{mask:linear-gradient(#000 0 0) 100px 0/150px 50px no-repeat}}||<div class=o><section class=x>W</section></div>
+  @layer a{.x{max-height:1lh;overflow:hidden;padding-top:0px}}||<table class=o><tr><td><h2 class=x>W</h2></table>
-  [data-k='1']{transform:translateX(-200%)}||<table class=o><tr><td><div data-k=1>W</div></table>
-! .x{--v:fixed;position:var(--v);top:-5vw;width:200px}||<div class=o><div class=x>W</div></div>
-  @layer a{.x{zoom:0.1}}||<div class=o style="position:relative"><p class=x>W</p><div style="position:absolute;top:0px;left:0;width:100%;height:100px;background:#fff"></div></div>
-  @media (min-width:300px){.x{contain:strict;overflow:hidden}}||<div class=o><p class=x>W</p></div>
+  ||<div class=o><span style="transform:translateY(300%)">W</span></div>
+  .o:has(.x) .x{rotate:y 60deg}||<div class=o><h2 class=x>W</h2></div>
+  .x{transform:rotateX(360deg)}||<div class=o style="white-space:nowrap;width:50px;overflow:hidden">a few words first <section class=x>W</section></div>
+  @scope (.o){.x{transform:scale(0.35)}}||<div class=o><div class=x>W</div></div>
-  .o:has(.x) .x{height:2px;overflow:clip}||<div class=o><p class=x>W</p></div>
-  ||<div class=o><h2 style="position:fixed;top:100%">W</h2></div><div style="position:relative;margin-top:-60px;height:70px;background:#fff"></div>
+  .o:has(.x) .x{font-size:3vw}||<div class=o style="display:flex"><p class=x>W</p></div>
+  @layer a{.x{filter:contrast(0)}}||<table class=o><tr><td><p class=x>W</p></table>
+  @layer a{.x{line-height:3;overflow:hidden}}||<div class=o><section class=x>W</section></div>
-  .o{.x{margin-top:-1440px}}||<table class=o><tr><td><section class=x>W</section></table>
-  [data-k='1']{clip-path:xywh(100px 50px 100px 40px)}||<section class=o><p>a line</p><section data-k=1>W</section><p>another line</p></section>
+! :is(.x,.y):not(.z){position:relative;bottom:150%}||<div class=o><span class=x>W</span></div>
-  [data-k='1']{margin-top:-2040px}||<div class=o style="position:relative;overflow:hidden">some text <p data-k=1>W</p></div>
-  @supports (display:grid){.x{clip-path:xywh(100px 30px 500px 30px)}}||<div class=o style="position:relative;overflow:hidden">some text <section class=x>W</section></div>
+  .x{--v:3;line-height:var(--v);overflow:hidden}||<div class=o><section class=x>W</section></div>
-  @layer a{.x{mask-image:linear-gradient(#0001,#0001)}}||<div class=o><p class=x>W</p></div>
+  @scope (.o){.x{transform:rotateX(360deg)}}||<div class=o><section class=x>W</section></div>
-  .x{font-size:2px}||<table class=o><tr><td><p class=x>W</p></table>
-! .o:has(.x) .x{margin-top:-720px}||<table class=o><tr><td><div class=x>W</div></table>
-  @supports (display:grid){.x{mask:linear-gradient(#000 0 0) 200px 0/0px 50px no-repeat}}||<div class=o style="overflow:hidden;height:20px"><div class=x>W</div></div>
+  @scope (.o){.x{position:fixed;right:45vw;width:200px}}||<div class=o><section class=x>W</section></div>
+  [data-k='1']{perspective:350px;transform:perspective(100px) translateZ(-400px)}||<section class=o><p>a line</p><b data-k=1>W</b><p>another line</p></section>
+  .x{--v:translate(500px,1300px);transform:var(--v);}||<table class=o><tr><td><span class=x>W</span></table>
+  @scope (.o){.x{perspective:300px;transform:perspective(100px) translateZ(500px)}}||<section class=o><p>a line</p><b class=x>W</b><p>another line</p></section>
-! .o{.x{mask-image:linear-gradient(90deg,transparent 500px,#000 0)}}||<div class=o style="position:relative;overflow:hidden">some text <p class=x>W</p></div>
-  @media (min-width:300px){.x{position:absolute;top:-1800px}}||<div class=o style="overflow:hidden;height:60px"><span class=x>W</span></div>
-! ||<div class=o><p style="transform:scale(0.27)">W</p></div><div style="position:relative;margin-top:-20px;height:70px;background:#fff"></div>
+  .x{--v:linear-gradient(#000 0 0) 0px 0/100px 50px no-repeat;mask:var(--v);}||<div class=o><div class=x>W</div></div>
+  .o{.x{text-indent:600px;overflow:visible;white-space:nowrap}}||<div class=o style="max-height:90px;overflow:hidden"><p>one</p><p>two</p><span class=x>W</span></div>
+  :is(.x,.y):not(.z){position:fixed;right:23vw;width:200px}||<div class=o><section class=x>W</section></div>
+  [data-k='1']{line-height:1;overflow:hidden}||<div class=o><p data-k=1>W</p></div>
-! .o{.x{clip-path:xywh(300px 10px 100px 30px)}}||<div class=o><p class=x>W</p></div>
-  ||<div class=o style="overflow:hidden;height:200px"><h2 style="color:hsl(0 0% 98%);background:hsl(0 0% 98%)">W</h2></div>
-! .o{.x{position:fixed;left:-26vw;width:200px}}||<section class=o><p>a line</p><div class=x>W</div><p>another line</p></section>
-  :is(.x,.y):not(.z){transform:scale(0.01)}||<div class=o><h2 class=x>W</h2></div>
+  ||<div class=o><h2 style="transform:translateX(50%)">W</h2></div>
-! .o{.x{perspective:300px;transform:perspective(350px) translateZ(200px)}}||<div class=o style="overflow:hidden;height:20px"><div class=x>W</div></div>
+  .o:has(.x) .x{filter:blur(1px)}||<div class=o><span class=x>W</span></div>
+  .o{.x{position:fixed;right:17vw;width:200px}}||<div class=o><span class=x>W</span></div>
-  .x{text-indent:-1800px;overflow:hidden;white-space:nowrap}||<div class=o><div class=x>W</div></div>
-! @media (min-width:1px){.x{clip-path:xywh(500px 10px 300px 30px)}}||<div class=o><div class=x>W</div></div>
-! @scope (.o){.x{transform:translateX(300%)}}||<div class=o><section class=x>W</section></div>
+  .x{--v:-1650px 50px;translate:var(--v);}||<section class=o><p>a line</p><b class=x>W</b><p>another line</p></section>
+  @media (min-width:300px){.x{color:color-mix(in srgb, white 90%, black)}}||<div class=o><section class=x>W</section></div>
-  @layer a{.x{clip-path:circle(4px at -50px 40px)}}||<div class=o><section class=x>W</section></div>
+  @media (min-width:1px){.x{line-height:3;overflow:hidden}}||<div class=o style="display:flex"><p class=x>W</p></div>
-! @layer a{.x{transform:skewY(120deg)}}||<div class=o style="max-height:40px;overflow:hidden"><p>one</p><p>two</p><div class=x>W</div></div>
+  .x{perspective:250px;transform:perspective(450px) translateZ(-400px)}||<div class=o><p class=x>W</p></div>
-  ||<div class=o><p style="transform:scale(0.06)">W</p></div>
+  .o{.x{clip-path:inset(0% 40% 40% 10%)}}||<div class=o><span class=x>W</span></div>
-  ||<div class=o><div style="position:fixed;left:100%">W</div></div><div style="position:relative;margin-top:-20px;height:70px;background:#fff"></div>
+  ||<div class=o><span style="filter:blur(1px)">W</span></div>
-  .x{animation:k 1ms both}@keyframes k{to{color:#fdfdfd;background:#fdfdfd}}||<div class=o style="white-space:nowrap;width:50px;overflow:hidden">a few words first <div class=x>W</div></div>
-  .o{.x{position:absolute;bottom:2250px}}||<ul class=o><li><p class=x>W</p></ul>
-  :is(.x,.y):not(.z){clip-path:xywh(300px 50px 0px 20px)}||<div class=o><section class=x>W</section></div>
+  @layer a{.x{filter:blur(1px)}}||<div class=o style="display:flex"><span class=x>W</span></div>
+  @scope (.o){.x{filter:brightness(0)}}||<div class=o style="position:relative"><p class=x>W</p><div style="position:absolute;top:60px;left:0;width:100%;height:100%;background:#fff"></div></div>
-  .o:has(.x) .x{clip-path:inset(30% 50% 40% 50%)}||<div class=o style="overflow:hidden;height:20px"><b class=x>W</b></div>
+  @layer a{.x{contain:paint;overflow:visible}}||<div class=o><b class=x>W</b></div>
-  @scope (.o){.x{filter:blur(9px)}}||<ul class=o><li><span class=x>W</span></ul>
+  @layer a{.x{text-indent:300px;overflow:clip;white-space:nowrap}}||<ul class=o><li><div class=x>W</div></ul>
+  .x{transform:scale(0.17)}||<div class=o><b class=x>W</b></div>
-  @supports (display:grid){.x{color:rgb(255 255 255 / .9)}}||<div class=o><p class=x>W</p></div>
+  ||<div class=o style="overflow:hidden;height:20px"><h2 style="transform:translateY(-150%)">W</h2></div>
-  :is(.x,.y):not(.z){height:30px;padding-top:50px;box-sizing:border-box;overflow:hidden}||<div class=o><p class=x>W</p></div>
-  @supports (display:grid){.x{color:hsl(0 0% 98%);background:hsl(0 0% 98%)}}||<table class=o><tr><td><div class=x>W</div></table>
+  .o{.x{rotate:y 180deg}}||<div class=o style="max-height:90px;overflow:hidden"><p>one</p><p>two</p><p class=x>W</p></div>
-! [data-k='1']{clip-path:xywh(200px 10px 300px 40px)}||<div class=o><b data-k=1>W</b></div>
+  .x{rotate:x 150deg}||<div class=o><p class=x>W</p></div>
-  .x{animation:k 1ms both}@keyframes k{to{mask:linear-gradient(#000 0 0) 100px 0/0px 50px no-repeat}}||<div class=o><p class=x>W</p></div>
-  ||<div hidden>W<math><mi>x</mi></math></div>
-  ||<div style="display:none">W<math><mi>x</mi></math></div>
-  ||<div hidden id="S:1">W</div>
-  ||<p class=faq style="display:none">W</p>
-  .faq{display:none}||<p class=faq>W</p>
-  .answer{display:none}||<div class=answer><p>W</p></div>
-  .a{display:none}||<div role=tabpanel class=a>W</div>
-  .a{display:none}||<div role=region class=a>W</div>
-  ||<div role=region hidden><p>The gauge at the harbour has been read every hour since the pier was built, and W</p></div>
-  .x{display:none}.x.on{display:block}||<p class=x>W</p>
-  .x{opacity:0}.x.on{opacity:1}||<p class=x>W</p>
-! .x{opacity:0}.x.on{opacity:1}||<script></script><p class=x>W</p>
-  .x{display:none}.x.on{display:block}||<script></script><p class=x>W</p>
-  .faq{display:none}||<script></script><p class=faq>W</p>
-  ||<div><b class=q hidden>Why?</b><p class=a hidden>The gauge at the harbour has been read every hour since the pier was built, and W</p><b class=q hidden>Who?</b><p class=a hidden>The gauge at the harbour has been read every hour since the pier was built.</p><b class=q hidden>How?</b><p class=a hidden>The gauge at the harbour has been read every hour since the pier was built.</p></div>
-  ||<div hidden><p>The gauge at the harbour has been read every hour since the pier was built, and W</p></div><p hidden><a aria-expanded=false>Read more</a></p>
-  .panel{visibility:hidden}||<p class=panel>W</p>
-  .slide{opacity:0}||<p class=slide>W</p>
-  .x{display:none}||<button hidden>Open</button><p class="x faq">W</p>
-  ||<button style="display:none" aria-controls=q>Open</button><div id=q hidden><p>The gauge at the harbour has been read every hour since the pier was built, and W</p></div>
-  ||<img class="fallback-image" alt=W hidden>
-  ||<p style="opacity:0;transform:translateY(4px)">The gauge at the harbour has been read every hour since the pier was built, and the harbour W</p>
-  ||<dialog>W</dialog>
-  ||<div popover>W</div>
-  ||<noscript>W</noscript>
-  ||<template>W</template>
-  ||<div inert style="content-visibility:hidden">W</div>
-! ||<details><summary>s</summary>W</details>
-  .collapse:not(.show){display:none}||<div class=collapse>W</div>
-  .collapse:not(.show){display:none}||<a data-bs-toggle=collapse href="#c">more</a><div id=c class=collapse>W</div>
-  ||<div style="position:absolute;left:50%;margin-left:-5000px">W</div>
-  ||<div style="position:relative;left:-200%">W</div>
-! ||<div style="position:sticky;top:-500px;margin-top:-600px">W</div>
-  .w{height:0}.w p{margin:0;line-height:0;font-size:0}||<div class=w><p>W</p></div>
-  .w{display:grid;grid-template-rows:0fr}.w>div{overflow:hidden}||<div class=w><div>W</div></div>
-! .w{display:grid;grid-template-columns:0px 1fr}.w>div{overflow:hidden}||<div class=w><div>W</div><div>text</div></div>
-  .w{max-width:1px;overflow:hidden;white-space:nowrap;text-indent:2px}||<div class=w>W</div>
-  .w{columns:1;height:20px;overflow:hidden;padding-top:40px;box-sizing:border-box}||<div class=w>W</div>
-  .w{width:10px;overflow:hidden;direction:rtl;text-indent:100px;white-space:nowrap}||<div class=w>W</div>
-  .w{writing-mode:vertical-rl;width:0;overflow:hidden}||<div class=w>W</div>
-  .w{color:#fff8}||<div class=w>W</div>
-  .w{color:rgb(255,255,255)}||<div class=w>W</div>
-  .w{color:color(srgb 1 1 1)}||<div class=w>W</div>
-  .w{color:lab(100% 0 0)}||<div class=w>W</div>
-  .w{color:oklch(100% 0 0)}||<div class=w>W</div>
-  .w{color:hwb(0 100% 0)}||<div class=w>W</div>
-  .w{color:Canvas}||<div class=w>W</div>
-  .w{background:Canvas;color:Canvas}||<div class=w>W</div>
-  .w{background:#000;color:#000}||<div class=w>W</div>
-  .w{background:linear-gradient(#222,#222);color:#222}||<div class=w>W</div>
-  .w{background:linear-gradient(90deg,#333,#333);color:#343434}||<div class=w>W</div>
-  .w{background:#123;color:#124}||<div class=w><b>W</b></div>
-  .w{background:#eee}.w span{color:#eee}||<div class=w><span>W</span></div>
-  .w{background:#eee}.w span{color:#efefef}||<table class=w><tr><td><span>W</span></table>
-  .w{mix-blend-mode:screen;color:#fff}||<div class=w>W</div>
-  .w{filter:opacity(0)}||<div class=w>W</div>
+  .w{filter:brightness(100)}||<div class=w>W</div>
+  .w{filter:contrast(0)}||<div class=w>W</div>
-  .w{filter:invert(1);color:#000;background:#000}||<div class=w>W</div>
-  .w{filter:blur(30px)}||<div class=w>W</div>
+  .w{backdrop-filter:blur(3px)}||<div class=w>W</div>
-  .w{opacity:.01}||<div class=w>W</div>
-  .a{opacity:.1}||<div class=a><div class=a><div class=a>W</div></div></div>
-  .a{opacity:.3}||<div class=a><div class=a><div class=a>W</div></div></div>
-  .w{scale:0.001}||<div class=w>W</div>
-  .w{transform:scaleX(0)}||<div class=w>W</div>
-  .w{transform:matrix(0,0,0,0,0,0)}||<div class=w>W</div>
-  .w{transform:rotateX(90deg)}||<div class=w>W</div>
-  .w{transform:rotate3d(0,1,0,90deg)}||<div class=w>W</div>
-  .w{transform:translate3d(-200vw,0,0)}||<div class=w>W</div>
-  .w{translate:0 -300vh}||<div class=w>W</div>
-  .w{zoom:0.01}||<div class=w>W</div>
-  .w{font-size:0.5px}||<div class=w>W</div>
-  .w{font:1px/1 serif}||<div class=w>W</div>
+! .w{letter-spacing:-1em}||<div class=w>W</div>
+! .w{letter-spacing:-20px}||<div class=w>W</div>
+  .w{word-spacing:9999px}||<div class=w>a W</div>
-  .w{line-height:0;overflow:hidden}||<div class=w>W</div>
-  .w{text-indent:100%;white-space:nowrap;overflow:hidden}||<div class=w>W</div>
-  .w{text-indent:-9999em}||<h1 class=w>W</h1>
-! .w{padding-left:2000px;overflow:hidden;width:100px;box-sizing:border-box}||<div class=w>W</div>
-  .w{float:left;margin-left:-100%}||<div class=w>W</div>
-  .w{float:right;margin-right:-1000px}||<div class=w>W</div>
-! .w{position:absolute;right:-800px}||<div class=w>W</div>
-  .w{position:absolute;bottom:-3000px}||<div class=w>W</div>
-  .w{position:fixed;bottom:100%}||<div class=w>W</div>
-  .w{position:fixed;inset:100% 0 0 0}||<div class=w>W</div>
-  .w{position:absolute;inset:0 100% 0 -100%;overflow:hidden}||<div class=w>W</div>
-! .w{position:absolute;z-index:-1}body{background:#fff}main{background:#fff;position:relative}||<div class=w style="top:100px">W</div>
-  .w{position:relative;z-index:-1}.k{background:#fff}||<div class=k><div class=w>W</div></div>
-  .k{position:relative}.k::after{content:"";position:absolute;inset:0;background:#fff}||<div class=k>W</div>
-  .k{position:relative}.k i{position:absolute;inset:0;background:white}||<div class=k>W<i></i></div>
-  .k{position:relative}.k i{position:absolute;left:0;top:0;width:100%;height:100%;background:url(x.png),#fff}||<div class=k>W<i></i></div>
-! .k{height:30px;margin-bottom:-30px}.c{background:#fff;position:relative;height:40px}||<div class=k>W</div><div class=c>cover</div>
-  .k{clip-path:polygon(0 0,0 0,0 0,0 0)}||<div class=k>W</div>
-  .k{clip-path:circle(0 at 50% 50%)}||<div class=k>W</div>
-  .k{clip-path:path("M0 0")}||<div class=k>W</div>
-  .k{clip-path:ellipse(0 0)}||<div class=k>W</div>
-  .k{clip-path:inset(0 0 100% 0)}||<div class=k>W</div>
+  .k{clip-path:url(#none)}||<div class=k>W</div>
-  .k{-webkit-clip-path:inset(50%)}||<div class=k>W</div>
-  .k{mask:linear-gradient(transparent,transparent)}||<div class=k>W</div>
+  .k{mask-image:none}||<div class=k>W</div>
-  .k{-webkit-mask-image:linear-gradient(#0000,#0000)}||<div class=k>W</div>
-  .k{mask:radial-gradient(transparent,transparent)}||<div class=k>W</div>
-  .k{visibility:collapse}||<table><tr class=k><td>W</td></tr></table>
-  .k{display:contents;visibility:hidden}||<div class=k>W</div>
-  .k{content-visibility:hidden}||<section class=k>W</section>
+  .k{content:""}||<div class=k>W</div>
-  .k{content:url(data:,)}||<div class=k>W</div>
-  @media screen{.k{display:none}}||<p class=k>W</p>
-  @media all and (min-width:0){.k{display:none}}||<p class=k>W</p>
-  @media not print{.k{display:none}}||<p class=k>W</p>
-  @media (prefers-color-scheme:light){.k{display:none}}||<p class=k>W</p>
-  @supports (color:red){.k{display:none}}||<p class=k>W</p>
-  @container (min-width:1px){.k{display:none}}||<div style="container-type:inline-size"><p class=k>W</p></div>
-  @layer a{.k{display:none}}||<p class=k>W</p>
-  @import url("data:text/css,.k{display:none}");||<p class=k>W</p>
-  p:nth-child(1 of .k){display:none}||<p class=k>W</p>
-  p:not(.z):first-of-type{display:none}||<div><p>W</p></div>
-  [class^="k"]{display:none}||<p class="k-1">W</p>
-  [class*="id"]{display:none}||<p class="hidey">W</p>
-  p[data-x="1" i]{display:none}||<p data-x=1>W</p>
-  :where(.k){display:none}||<p class=k>W</p>
-  div:has(> p.k){display:none}||<div><p class=k>W</p></div>
-  .a{.b &{display:none}}||<div class=b><p class=a>W</p></div>
-  .a{& > .k{display:none}}||<div class=a><p class=k>W</p></div>
-  :root{--h:none}.k{display:var(--h)}||<p class=k>W</p>
-  .k{--d:no;display:var(--x,none)}||<p class=k>W</p>
-  .k{opacity:var(--o,0)}||<p class=k>W</p>
-  @property --z{syntax:"<number>";inherits:true;initial-value:0}.k{opacity:var(--z)}||<p class=k>W</p>
-  @keyframes z{to{visibility:hidden}}.k{animation:z .01s forwards}||<p class=k>W</p>
-  @keyframes z{100%{transform:translateX(-9000px)}}.k{animation:z 0s both}||<p class=k>W</p>
-  .k{transition:opacity 9s;opacity:0}||<p class=k>W</p>
-  .k:not(:hover){opacity:0}||<p class=k>W</p>
-  .k{color:transparent}.k:hover{color:#000}||<p class=k>W</p>
-  .k::first-line{color:transparent}||<p class=k>W</p>
-  .k::first-line{font-size:0}||<p class=k>W</p>
-  ||<p><font color="#ffffff">W</font></p>
-  ||<p><font size=1 color=white>W</font></p>
-  ||<body text=white><p>W</p>
-  ||<table><tr><td width=0 height=0 style="overflow:hidden;font-size:0">W</td></tr></table>
-! ||<marquee width=0>W</marquee>
-  ||<iframe srcdoc="<p>W</p>" style="display:none"></iframe>
-  ||<svg width=0 height=0><text>W</text></svg>
-  ||<svg><foreignObject width=0 height=0><p>W</p></foreignObject></svg>
-  ||<svg><defs><text y=20>W</text></defs></svg>
-  ||<object data="data:text/plain,x">W</object>
-  ||<select hidden><option>W</select>
-  ||<textarea style="display:none">W</textarea>
-  ||<textarea style="color:#fff">W</textarea>
-  ||<input type=hidden value="W">
-  ||<button style="font-size:0;border:0;padding:0">W</button>
-  ||<ruby>x<rp>W</rp></ruby>
-! ||<math><annotation>W</annotation></math>
-  ||<map><area alt="W"></map>
+  ||<p lang=en translate=no inert>W</p>
-  ||<p contenteditable style="caret-color:red;color:#fffffe">W</p>
-  ||<slot hidden>W</slot>
-  ||<div><template shadowrootmode=open><p>shown</p></template>W</div>
-  ||<div><template shadowrootmode=open><slot style="display:none"></slot></template>W</div>
-! ||<details><p>W</p></details>
-  ||<fieldset disabled style="opacity:0">W</fieldset>
-  ||<fieldset><legend style="position:absolute;clip:rect(0,0,0,0)">W</legend></fieldset>
+  ||<caption style="display:none">W</caption>
+  ||<col style="visibility:collapse"><p>W</p>
-! ||<table style="table-layout:fixed;width:100px"><tr><td>a<td style="width:0;overflow:hidden;white-space:nowrap;padding:0">W</table>
-  ||<table style="border-collapse:collapse"><tr style="display:none"><td>W</table>
-  ||<ul style="list-style:none;height:0;overflow:hidden"><li>W</ul>
+  ||<p style="display:block!important;display:none">W</p>
+  ||<p style="display:none;display:block">W</p>
-  ||<p style="DISPLAY : NONE">W</p>
-  ||<p style="display:n&#111;ne">W</p>
-  ||<p style="/*x*/visibility:/**/hidden">W</p>
-  ||<div style="overflow:hidden;height:1px;width:1px">W</div>
-  ||<div style="overflow:clip;height:0">W</div>
-  ||<div style="height:18px;overflow:hidden"><br><br><br>W</div>
-! ||<div style="height:20px;overflow:auto"><div style="height:500px"></div>W</div>
-  ||<div style="overflow:hidden;height:50px"><div style="margin-top:90px">W</div></div>
-! ||<div style="overflow:hidden;width:50px;white-space:nowrap"><span style="display:inline-block;width:90px">x</span>W</div>
-  ||<div style="overflow:hidden;height:30px;position:relative"><div style="position:absolute;top:40px">W</div></div>
-! ||<p style="text-shadow:0 0 9px red;color:transparent">W</p>
-  ||<p style="-webkit-text-fill-color:transparent">W</p>
+  ||<p style="-webkit-text-stroke:1px red;color:transparent">W</p>
-  ||<p style="background:#fff;-webkit-background-clip:text;color:transparent">W</p>
+  ||<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">W</p>
-  ||<p style="-webkit-text-security:disc">W</p>
+  ||<p style="font-family:'Adobe Blank'">W</p>
+  ||<p style="text-overflow:ellipsis;overflow:hidden;width:1em;white-space:nowrap">W</p>
-  ||<p style="line-clamp:1;-webkit-line-clamp:1;display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden">a<br>W</p>
+  ||<p style="user-select:none;pointer-events:none">W</p>
-  ||<p style="position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);border:0">W</p>
+! ||<p class="sr-only">W</p>
+! ||<p class="visually-hidden">W</p>
+! ||<div style="position:absolute;left:-9999px"><p style="position:absolute;left:9999px">W</p></div>
+  ||<div style="visibility:hidden"><p style="visibility:visible">W</p></div>
+  ||<div style="font-size:0"><p style="font-size:14px">W</p></div>
+  ||<div style="color:#fff"><p style="color:#000">W</p></div>
-  ||<div style="opacity:0"><p style="opacity:1">W</p></div>
+  ||<div style="background:#000"><p style="color:#fff">W</p></div>
+  ||<div style="height:0;overflow:visible"><p>W</p></div>
+! ||<div style="transform:translateX(-3000px)"><p style="transform:translateX(3000px)">W</p></div>
""".strip("\n").split("\n")


def ways():
    """Of each: its line, rules, the body with the word as W, whether Chromium shows it, and whether we
    are known to say otherwise."""
    made = []
    for line in STYLES:
        style, _, rules = line[3:].partition("|")
        quoted = style.replace('"', "&quot;")
        made.append((line[3:], rules, f'<div style="{quoted}">W</div>', line[0] == "+", line[1] == "!"))
    for line in PAGES:
        rules, _, body = line[3:].partition("||")
        made.append((line[3:], rules, body, line[0] == "+", line[1] == "!"))
    return made
