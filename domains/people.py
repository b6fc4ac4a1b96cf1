"""Names, streets and cities for customers who look real and are not; zip prefixes fit their cities."""

FIRST_NAMES = (
    "Aaliyah Adrian Aisha Alana Alejandro Amara Amir Ana Andre Anika Asher Astrid Beatriz Benedict Bianca Caleb "
    "Camila Carmen Cedric Celeste Chidi Clara Cyrus Dalia Damian Daphne Darius Delia Desmond Diego Dina Elena Elias "
    "Eliza Emeka Esme Esteban Farid Felix Fiona Gavin Gemma Gideon Hana Hassan Helena Hugo Ibrahim Imani Ingrid Isaac "
    "Ivan Jamila Jonas Josephine Julian Kaito Kamal Keiko Lars Leila Leon Liana Lorenzo Lucia Magnus Malik Mara "
    "Marcus Margot Mateo Maya Mei Mina Miriam Nadia Naomi Nikolai Nina Noor Octavia Omar Oscar Paloma Pavel Petra "
    "Priya Quentin Rafael Ravi Renata Rohan Rosa Ruben Sabine Samira Selma Silas Simone Sonia Soren Stella Tariq "
    "Tessa Theo Tobias Uma Valentina Victor Violet Wendell Xavier Yasmin Yuki Zara Zoe"
).split()

LAST_NAMES = (
    "Abbott Adeyemi Aguilar Ahmed Alvarez Andersson Arnold Banerjee Barros Bauer Becker Bergstrom Blake Bonnet Bowen "
    "Brandt Burke Calloway Carver Castillo Chandra Cho Coleman Conti Cortez Crane Dalton Das Delgado Desai Diaz "
    "Dupont Eriksen Espinoza Farouk Fischer Fletcher Fontaine Fuentes Gallagher Garza Gomez Grant Greene Guerra "
    "Haddad Hansen Harper Hayes Herrera Hoffman Holt Hughes Iqbal Ito Iversen Jacobs Jensen Kapoor Kaur Keller Khan "
    "Kimura Klein Koh Kowalski Kumar Laurent Leblanc Lindqvist Lopez Lund Maddox Marino Mbeki Mendez Meyer Mori "
    "Nakamura Navarro Ng Nguyen Novak Okafor Olsen Ortega Osei Pacheco Park Patel Perez Petrov Quinn Ramos Reyes "
    "Rivera Romano Rossi Russo Sato Schmidt Sharma Silva Singh Soto Stone Suzuki Tan Torres Tran Turner Vargas Vega "
    "Walsh Weber Wong Yamada Zhang"
).split()

STREETS = (
    "Alder Street,Amber Lane,Aspen Court,Beacon Hill Road,Birch Avenue,Bluebell Way,Canal Street,Cedar Drive,"
    "Cherry Lane,Clearwater Road,Copper Street,Dogwood Avenue,Eastfield Road,Elm Street,Fern Hollow,"
    "Garden Street,Granite Way,Harbor Road,Hawthorn Drive,Hazel Court,Heron Lane,Hillcrest Avenue,Juniper Street,"
    "Lakeview Drive,Larch Road,Laurel Avenue,Linden Street,Magnolia Court,Maple Ridge,Meadow Lane,Mill Road,"
    "Mulberry Street,Orchard Avenue,Pine Hollow,Poplar Drive,Quarry Road,River Bend,Rosewood Court,Saddle Lane,"
    "Spruce Street,Station Road,Sycamore Way,Thistle Lane,Valley View,Vineyard Road,Walnut Street,Willow Avenue,"
    "Windmill Lane"
).split(",")

CITIES = (
    ("New York", "NY", "100"),
    ("Buffalo", "NY", "142"),
    ("Boston", "MA", "021"),
    ("Providence", "RI", "029"),
    ("Philadelphia", "PA", "191"),
    ("Pittsburgh", "PA", "152"),
    ("Baltimore", "MD", "212"),
    ("Washington", "DC", "200"),
    ("Richmond", "VA", "232"),
    ("Charlotte", "NC", "282"),
    ("Atlanta", "GA", "303"),
    ("Jacksonville", "FL", "322"),
    ("Miami", "FL", "331"),
    ("Nashville", "TN", "372"),
    ("Cleveland", "OH", "441"),
    ("Columbus", "OH", "432"),
    ("Indianapolis", "IN", "462"),
    ("Detroit", "MI", "482"),
    ("Milwaukee", "WI", "532"),
    ("Minneapolis", "MN", "554"),
    ("Chicago", "IL", "606"),
    ("St. Louis", "MO", "631"),
    ("Kansas City", "MO", "641"),
    ("New Orleans", "LA", "701"),
    ("Dallas", "TX", "752"),
    ("Houston", "TX", "770"),
    ("Austin", "TX", "787"),
    ("Denver", "CO", "802"),
    ("Albuquerque", "NM", "871"),
    ("Phoenix", "AZ", "850"),
    ("Salt Lake City", "UT", "841"),
    ("Las Vegas", "NV", "891"),
    ("San Diego", "CA", "921"),
    ("Los Angeles", "CA", "900"),
    ("San Francisco", "CA", "941"),
    ("Sacramento", "CA", "958"),
    ("Portland", "OR", "972"),
    ("Seattle", "WA", "981"),
)

MAIL_DOMAINS = ("example.com", "example.org", "example.net")
