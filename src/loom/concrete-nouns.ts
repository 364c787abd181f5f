// What can be seen or held: the nouns that an image may be made of, written by hand for this purpose, by field. A word
// that is missing costs an image; a word that is wrong would cost the story.

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** They make an image by themselves. */
export const THINGS = words(`
  coat jacket scarf glove mitten boot slipper sandal sock stocking hat bonnet sweater jumper cardigan skirt
  pocket sleeve collar button zipper thread needlework ribbon lace shawl blanket quilt pillow mattress
  handkerchief umbrella suitcase backpack satchel purse wallet belt necklace bracelet earring brooch locket
  pearl wristwatch pyjamas pajamas veil uniform overalls raincoat overcoat cup mug glass bottle jar jug
  teapot kettle pot pan saucepan skillet spoon fork bowl saucer dish tray basket bucket tablecloth napkin
  candle lamp lantern lampshade matchbox lighter ashtray vase mirror curtain armchair bookshelf cupboard
  wardrobe cradle crib ladder broom mop hammer nail saw axe spade shovel rake hoe wheelbarrow rope string
  wire chain hook lock key keyring padlock doorbell doorstep doorframe threshold banister stair staircase
  windowsill shutter chimney fireplace hearth radiator bathtub faucet pantry shed barn greenhouse gate hedge
  gutter floorboard tile plank beam bread loaf crumb crust toast butter honey jam marmalade cheese omelette
  stew broth dumpling pancake waffle pie tart biscuit pastry bun bagel noodle porridge oatmeal potato tomato
  onion garlic carrot cabbage bean pea lentil mushroom pumpkin cucumber apple pear plum cherry peach apricot
  fig grape lemon orange mandarin tangerine banana melon watermelon strawberry raspberry blackberry
  blueberry gooseberry currant walnut almond chestnut hazelnut cinnamon vanilla ginger mint parsley basil
  rosemary thyme cocoa cider whisky whiskey schnapps lemonade candy caramel popcorn sausage ham bacon
  herring trout salmon oyster mussel shrimp crab oak birch beech pine fir spruce willow poplar maple elm
  ash-tree linden olive orchard branch twig bark leaf blossom petal stem thorn bud acorn pinecone moss fern
  ivy clover nettle reed rose tulip lily lilac daisy dandelion poppy sunflower geranium hydrangea peony
  violet lavender jasmine marigold daffodil snowdrop crocus iris orchid weed meadow hillside mountain cliff
  ridge rock pebble boulder dune stream creek brook pond lake lagoon waterfall puddle ocean shore pier jetty
  dock lighthouse island tide wave foam seaweed shell driftwood anchor rowboat canoe ferry sail oar mast
  snow snowflake icicle frost hail raindrop thunder lightning cloud fog mist dew rainbow sunrise sunset moon
  moonlight starlight sunlight candlelight lamplight streetlight firelight bonfire campfire flame ember
  smoke spark kite swing sandbox hammock tent campsite grove hay haystack straw scarecrow tractor plough
  plow sledge sled sleigh bicycle tricycle scooter motorcycle motorbike tram locomotive timetable windscreen
  windshield dashboard bridge tunnel ditch footpath pavement cobblestone signpost streetlamp lamppost
  steeple altar pew bell belfry candlestick blackboard chalk inkwell pencil notebook diary letter envelope
  postcard polaroid snapshot album portrait sketch map atlas globe compass hymnbook cookbook dictionary
  crossword calendar alarm-clock hourglass radio gramophone cassette mixtape turntable typewriter piano
  violin cello guitar ukulele banjo accordion harmonica flute trumpet trombone clarinet organ lullaby waltz
  hymn melody tune whistle doll teddy marble yoyo spinning-top puzzle chessboard domino crayon balloon
  firework sparkler sparrow robin swallow swift swan goose duck hen rooster chicken pigeon dove crow raven
  magpie owl hawk heron seagull gull stork nightingale blackbird feather nest egg-shell wing bee beehive
  hive honeycomb wasp butterfly moth ladybird ladybug firefly cricket grasshopper dragonfly spider spiderweb
  cobweb ant snail worm beetle frog toad tadpole turtle tortoise lizard snake puppy kitten pony foal calf
  bull sheep lamb goat rabbit hare fox wolf deer hedgehog squirrel mouse donkey hamster collar-bell leash
  saddle bridle horseshoe fur whale dolphin wax soap perfume aftershave lipstick hairbrush hairpin comb
  razor toothbrush towel thimble needle yarn wool knitting spindle loom sewing-machine scissors tobacco
  cigarette cigar banknote medal trophy rosary crucifix dreidel menorah samovar wreath garland tinsel bauble
  freckle braid ponytail moustache mustache beard dimple sawdust workbench anvil chisel toolbox screwdriver
  tarp thermos flask lunchbox deckchair parasol sandcastle toothpick wishbone keychain smoker headlight
  taillight headscarf tarpaulin lifejacket dog cat tree bench clock sea river song apron egg soup cake stone
  bird horse cow pig grass coin penny hill fence chocolate garage painting drawing hoodie jeans sneaker
  t-shirt nightgown tuxedo gown heel corsage bouquet confetti tattoo pillowcase nightstand flashlight
  torchlight furnace fridge refrigerator freezer microwave dishwasher toaster blender minivan casserole
  granola mustard ketchup cereal spaghetti taco donut doughnut cupcake brownie peanut yoghurt yogurt receipt
  mailbox postbox trampoline treehouse sprinkler lawn lawnmower skateboard surfboard paddle jukebox
  headphones vinyl pocketknife tackle nightlight birdhouse birdfeeder playlist snowman snowball paintbrush
  easel canvas scrapbook thermometer handwriting dishes fishbowl aquarium binoculars telescope magnet
  doormat washcloth hairdryer dustpan clothesline clothespin pegboard windchime chimes beanbag bleachers
  popsicle marshmallow lollipop gum gumball watering-can
`);

/** They make one with a word beside them: “the blue door”, but not “the door”. */
export const PLACES_AND_PARTS = words(`
  salt sugar soil dust mud clay gravel pipe yeast diesel gasoline rust varnish paint turpentine foil pepper
  vinegar laundry mill windmill bakery bookshop cinema theatre theater playground schoolyard railway
  allotment rectory driveway basement bathroom kitchen church chapel mosque temple synagogue shrine minaret
  platform attic cellar porch veranda balcony courtyard crossroads harbor harbour bay village valley bus
  train van truck wagon cart carriage chair window roof tea coffee milk wine dress shoe shirt book novel
  plate rice fish clothes rain ice flour record telephone camera photo photograph newspaper ticket path
  field beach plastic sofa couch sheet stool net sand ship boat brick pizza pasta sandwich cookie shower
  poster ball bike rug carpet sink stove oven tap shelf drawer pen stamp desk root cap chest trunk seed seal
  drum chess dice well wood forest wall house home room door garden street road town city car table bed box
  bag paper page list note water fire light shadow floor ceiling corner step hand finger thumb palm hair
  face eye eyelash cheek lip mouth shoulder knee foot footstep footprint voice laugh laughter smile breath
  sky sun star wind air earth ground tooth bone skin tear park square market shop store station hut cabin
  cottage farm tower picture film toy card gift present machine engine wheel tool bucket screen phone
  message recipe flower plant stick pin tin can wooden cloth silk linen cotton leather iron steel copper
  brass silver gold feather night evening dawn dusk morning summer winter autumn fruit bunk
`);

/** “The smell of bread”: what holds an image by its second noun. */
export const VESSELS = words(`
  smell scent taste sound light box jar cup glass bowl bottle basket bag bucket pocket pile stack handful
  fistful loaf slice piece half bunch row field list pot spoon spoonful sack drawer crate tin bar book ring
  circle shape noise colour color trail smear thread strand scrap sheet pair jug mug plate shelf bundle wisp
  coil heap bed sprig
`);

/** Words of the senses: colour, matter, warmth, size, age, state. They may make an image of a noun that no list has. */
export const SENSORY = words(`
  red blue green yellow orange purple violet pink brown black white grey gray golden silver silvery scarlet
  crimson turquoise amber pale dark bright faded bleached rusty rusted dusty muddy wet damp dry frozen icy
  cold cool warm hot lukewarm burnt burned charred torn ripped patched mended broken cracked chipped dented
  crooked bent worn threadbare frayed folded crumpled wrinkled wooden stone iron brass copper tin leather
  woollen woolen wool velvet silk linen cotton paper plastic clay stained sticky greasy soft rough smooth
  sharp blunt thick thin heavy light hollow empty full half-empty half-full round square tiny little small
  big huge enormous long short tall narrow wide low high old ancient rotten ripe raw fresh stale sweet sour
  bitter salty salted smoky silent quiet loud hoarse squeaky creaking creaky ticking humming dripping
  burning smoking glowing flickering barefoot bare naked striped checked chequered checkered spotted painted
  unpainted handwritten knitted crocheted embroidered homemade sunken flooded locked unlocked closed open
  abandoned overgrown tangled loose blind lame one-eyed floury buttered boiled unlit lit upturned snowy
  foggy yellowed blackened secondhand second-hand hand-knitted wrought mossy leaky lopsided snow-covered
  sunlit moonlit rain-soaked
`);

/** Things of harm, illness and burial: they stay in the writer's own sentences, and nothing is made of them. */
export const GRAVE = words(`
  gun rifle pistol bullet knife blade razor blood wound scar bruise fist belt whip needle syringe pill pills
  morphine tumor tumour cancer drip catheter ventilator wheelchair stretcher ambulance hospital ward coffin
  casket urn hearse corpse body grave gravestone graveyard cemetery tomb funeral noose rope bottle vodka
  whisky whiskey beer cigarette crash wreck fire smoke gas bomb grenade tank soldier uniform cell prison
  handcuff skull bone vomit urine
`);

/** Where one of these stands, the sentence is left alone: nothing in it becomes an ornament. */
export const HARM =
  /\b(?:lost (?:a|the|our|my|her|his) (?:child|baby|son|daughter|twins?)|kill|murder|rape|abus|molest|assault|suicid|hang(?:ed|ing) (?:him|her|my)self|overdos|stab|shot\b|shoot|beat (?:me|him|her|us)\b|beaten|hit (?:me|him|her|us)\b|slapp|punch|chok(?:ed|ing) (?:me|her|him)|strangl|miscarr|stillb|bled|bleeding|chemo|tumou?r|cancer|hospice|intensive care|coffin|morgue|corpse|crash|drown|burned down|war\b|bomb|camp\b|prison)/i;

/** Where one of these stands, nothing in the whole story is cheerful, and it is not told to the one who lived it. */
export const VIOLENCE =
  /\b(?:kill(?:ed|s|ing)?|murder\w*|raped?|rapist|abus\w+|molest\w*|assault\w*|suicid\w*|stabb?\w*|shot (?:at|him|her|me)|beat (?:me|him|her|us)\b|beaten|hit (?:me|him|her|us)\b|slapped|punched|strangl\w+|hang(?:ed|ing) (?:him|her|my)self)\b/i;

/** Where one of these stands, nothing cheerful stands beside it. */
export const GRIEF =
  /\b(?:die[sd]?|dying|dead|death|funeral|buried|bury|grave|lost|loss|miss(?:ed)?|hospital|sick|ill|illness|cried|cry|crying|wept|weep|grie[fv]|mourn\w*|alone|lonely|afraid|fear|sad|sorry|ashamed|angry|anger|hurt|pain|tired|stress\w*|worse|worst|terrible|hard|never|left|leave|broke|ended|stopped|goodbye|fight|fought|argued|disagree\w*|fault|divorce\w*)\b/i;

/** Nouns that no adjective makes visible. */
export const ABSTRACT = words(`
  time day week month year moment hour minute second way thing part kind sort lot bit side end beginning
  start point place case fact idea reason question answer problem matter issue truth lie story word name
  life death love hate hope fear joy grief sorrow pain peace war work job career money price cost deal plan
  decision choice chance luck change difference relationship marriage friendship family people person man
  woman boy girl child kid baby friend husband wife mother father sister brother grandmother grandfather
  uncle aunt cousin son daughter neighbour neighbor teacher doctor nurse boss colleague guy lady stranger
  team group class company office school college university meeting conversation talk argument fight advice
  help support trust respect care attention interest feeling emotion mood mind heart soul spirit memory
  thought dream wish belief faith sense view opinion situation condition state stage phase step level area
  number amount size age birthday party holiday vacation trip journey visit call yes no silence distance
  space language beat rhythm game match score show event news information data system process result effect
  influence power strength weakness energy health illness sickness disease accident crisis mistake fault
  guilt shame anger rage sadness happiness world country nation government law right duty role habit routine
  custom tradition culture religion god rest break look touch kiss hug embrace turn return past future
  present today tomorrow yesterday try attempt effort everyone someone nobody anyone everything something
  nothing anything one other self winter summer spring autumn fall january february march april may june
  july august september october november december monday tuesday wednesday thursday friday saturday sunday
  hell heaven shot run walk drive ride wait stay
`);

/** Those of them that may stand before a thing: “birthday cake”, but not “gave my mother flowers”. */
export const OCCASIONS = words(`
  birthday wedding holiday family love school office baby winter summer spring autumn fall night morning
  evening game work party christmas
`);

const ABSTRACT_ENDING =
  /(?:ness|tion|sion|ment|ity|ship|ance|ence|ism|hood|dom|acy|ology|graphy|ure|ing|ist|er|or|ian|th|ude|al)$/;
export const isAbstract = (noun: string): boolean => ABSTRACT.has(noun) || ABSTRACT_ENDING.test(noun);

const IRREGULAR: Readonly<Record<string, string>> = {
  feet: 'foot',
  teeth: 'tooth',
  geese: 'goose',
  mice: 'mouse',
  men: 'man',
  women: 'woman',
  children: 'child',
  people: 'person',
  oxen: 'ox',
  woods: 'woods',
  scissors: 'scissors',
  pyjamas: 'pyjamas',
  pajamas: 'pajamas',
};

/** @returns the ways in which a noun may read in the singular, itself first */
export function singularsOf(noun: string): string[] {
  const forms = [noun];
  if (IRREGULAR[noun]) forms.push(IRREGULAR[noun]);
  if (noun.endsWith('ies')) forms.push(`${noun.slice(0, -3)}y`);
  if (noun.endsWith('ves')) forms.push(`${noun.slice(0, -3)}f`, `${noun.slice(0, -3)}fe`);
  if (noun.endsWith('es')) forms.push(noun.slice(0, -2));
  if (noun.endsWith('s') && !noun.endsWith('ss')) forms.push(noun.slice(0, -1));
  return forms;
}
